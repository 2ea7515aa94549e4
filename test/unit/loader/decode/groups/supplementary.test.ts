import { deepEqual } from 'node:assert/strict';
import { fieldsOf, read } from '../read.ts';

const shear = (group: string) => fieldsOf(`12/08 Q1013 ${group} NOSIG`, ['ws', 'trend']);

describe('wind shear', () => {
  it('is kept as sent, in all its forms', () => {
    for (const ws of [
      'WS R03',
      'WS R27L',
      'WS ALL RWY',
      'WS TKOF RWY27',
      'WS LDG RWY03',
      'WS RWY32R',
      'WS RWY/07',
      'WS RWYB',
      'WS RWYS',
      'WS RWYO',
      'LLWS',
    ])
      deepEqual(shear(ws), { ws, trend: 'NOSIG' });
  });

  it('is joined where it is given for several runways', () =>
    deepEqual(shear('WS R03 WS R21'), { ws: 'WS R03 WS R21', trend: 'NOSIG' }));

  it('is listed where the runway is none', () => {
    deepEqual(read('12/08 Q1013 WS RWY45').unexplained, ['WS', 'RWY45']);
    deepEqual(read('12/08 Q1013 WS').unexplained, ['WS']);
  });
});

describe('sea', () => {
  it('keeps temperature and state or wave height as sent', () => {
    for (const group of 'W15/S4 WM01/S6 W15/H12 W17/H7 W12/H/// W///S4 W09/S/ W///// W38///'.split(' '))
      deepEqual(fieldsOf(`05/02 Q1020 ${group}`, ['sea']), { sea: group });
  });

  it('lists what it cannot read', () => {
    for (const group of ['W15S4', 'W15/X4', 'W15/S44', 'W1/S4'])
      deepEqual(read(`05/02 Q1020 ${group}`).unexplained, [group]);
  });
});

const unexplained = (groups: string, station?: string) =>
  read(`9999 12/08 Q1013 ${groups}`, station).unexplained;

describe('supplementary groups', () => {
  it('understands Australian rainfall and Pakistani humidity', () => {
    for (const group of ['RF00.0/000.0', 'RF//.//////./', 'RH76', 'HR83']) deepEqual(unexplained(group), []);
    deepEqual(unexplained('RF00.0'), ['RF00.0']);
    deepEqual(unexplained('RH176'), ['RH176']);
  });

  it('understands groups for which nothing was observed', () => {
    for (const group of ['/', '//', '///', '//////', '/////////', '//////KT', 'M'])
      deepEqual(read(group, 'KJFK').unexplained, []);
  });

  it('understands the further winds of Madeira there alone', () => {
    deepEqual(unexplained('RS32006KT 0504013G25KT', 'LPMA'), []);
    deepEqual(unexplained('RS32006KT', 'LPPT'), ['RS32006KT']);
  });
});

describe('colour state', () => {
  it('keeps the state as sent', () => {
    for (const colour of ['BLU', 'BLU+', 'YLO1', 'RED', 'BLACKWHT', 'BLU/', 'BLACK', 'BLU/BLU/'])
      deepEqual(fieldsOf(`9999 05/02 Q1020 ${colour}`, ['colour']), { colour });
    deepEqual(fieldsOf('9999 05/02 Q1020 YLO GRN', ['colour']), { colour: 'YLO GRN' });
  });

  it('takes wind and sky behind it for a forecast', () => {
    deepEqual(
      fieldsOf('24014KT 9999 OVC170 13/08 Q1018 BLU 24013KT 9999 FEW045 BECMG 24015G27KT', [
        'colour',
        'trend',
        'wdir',
        'clouds',
      ]),
      {
        colour: 'BLU',
        trend: '24013KT 9999 FEW045 BECMG 24015G27KT',
        wdir: 240,
        clouds: [{ cover: 'OVC', base_ft: 17_000 }],
      },
    );
    deepEqual(fieldsOf('9999 15/09 Q1019 BLU FCST CANCEL', ['trend']), { trend: 'FCST CANCEL' });
  });

  it('leaves a runway state behind it a runway state', () => {
    for (const rwy_state of ['06CLRD70', '24450293', '24SNOCLO', '13//////', '31////99'])
      deepEqual(fieldsOf(`9999 01/M02 Q1020 WHT ${rwy_state} NOSIG`, ['rwy_state', 'trend'], 'LKKB'), {
        trend: 'NOSIG',
        ...(rwy_state !== '13//////' && { rwy_state }),
      });
  });

  it('does not take the Spanish abbreviation RED for one', () => {
    deepEqual(read('5000 OVC016 12/12 Q1022 VIS RED 5KMS', 'MHLE').fields.colour, undefined);
  });

  it('lists what is no colour state', () => deepEqual(read('9999 05/02 Q1020 BLUX').unexplained, ['BLUX']));
});
