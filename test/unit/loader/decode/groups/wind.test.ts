import { deepEqual } from 'node:assert/strict';
import { decode } from '../../../../../loader/decode.ts';
import { fieldsOf, read } from '../read.ts';

const NAMES = ['wdir', 'wdir_vrb', 'wspd_kt', 'wgst_kt', 'wspd_above', 'wgst_above'] as const;
const wind = (group: string) => fieldsOf(group, NAMES);

describe('wind', () => {
  it('reads direction, speed and gust in knots', () => {
    deepEqual(wind('24015G27KT'), { wdir: 240, wspd_kt: 15, wgst_kt: 27 });
    deepEqual(wind('10008KTS'), { wdir: 100, wspd_kt: 8 });
  });

  it('reads three figures of 100 knots and more where FMH-1 holds, and nowhere else', () => {
    deepEqual(fieldsOf('360105G121KT', NAMES, 'KMWN'), { wdir: 360, wspd_kt: 105, wgst_kt: 121 });
    for (const group of ['100221KT', '230106KT', '24060G105KT'])
      deepEqual(read(group, 'OLBA').unexplained, [group]);
    for (const group of ['100221KT', '100106KT']) deepEqual(read(group, 'KMWN').unexplained, [group]);
  });

  it('explains six figures with a zero before the speed only for calm wind', () => {
    deepEqual(wind('000000KT'), { wdir: 0, wspd_kt: 0 });
    for (const group of ['210097KT', '160089KT', 'VRB047KT', '040009KT', '290013G42KT', '160024KT'])
      deepEqual(read(group, 'WAHH').unexplained, [group]);
    deepEqual(read('290013G42KT', 'WAHH').fields.wgst_kt, 42);
  });

  it('turns meters a second and kilometers an hour into whole knots', () => {
    deepEqual(wind('20003G07MPS'), { wdir: 200, wspd_kt: 6, wgst_kt: 14 });
    deepEqual(wind('09018KMH'), { wdir: 90, wspd_kt: 10 });
    deepEqual(wind('09018KM/H'), { wdir: 90, wspd_kt: 10 });
  });

  it('calls calm direction 0 and north direction 360', () => {
    deepEqual(wind('00000KT'), { wdir: 0, wspd_kt: 0 });
    deepEqual(wind('00000MPS'), { wdir: 0, wspd_kt: 0 });
    deepEqual(wind('CALM'), { wdir: 0, wspd_kt: 0 });
    for (const group of ['24000KT', '36000MPS', 'VRB00KT']) deepEqual(wind(group), { wdir: 0, wspd_kt: 0 });
    deepEqual(wind('24000G15KT'), { wdir: 240, wspd_kt: 0, wgst_kt: 15 });
    deepEqual(wind('36004KT'), { wdir: 360, wspd_kt: 4 });
  });

  it('lists a direction of 000 with a speed', () => {
    for (const group of ['00028KT', '00005G15KT', '00004MPS']) deepEqual(read(group).unexplained, [group]);
    deepEqual(wind('00000G15KT'), { wdir: 0, wspd_kt: 0, wgst_kt: 15 });
    deepEqual(wind('000//KT'), { wdir: 0 });
  });

  it('leaves the direction of a variable wind out', () => {
    deepEqual(wind('VRB03G16KT'), { wdir_vrb: true, wspd_kt: 3, wgst_kt: 16 });
  });

  it('marks speeds that are only a lower bound', () => {
    deepEqual(wind('280P99KT'), { wdir: 280, wspd_kt: 99, wspd_above: true });
    deepEqual(wind('28050GP99KT'), { wdir: 280, wspd_kt: 50, wgst_kt: 99, wgst_above: true });
    deepEqual(wind('280ABV49MPS'), { wdir: 280, wspd_kt: 95, wspd_above: true });
  });

  it('gives what was measured where a part is missing', () => {
    deepEqual(wind('///04KT'), { wspd_kt: 4 });
    deepEqual(wind('080//KT'), { wdir: 80 });
    deepEqual(wind('32020G//KT'), { wdir: 320, wspd_kt: 20 });
    deepEqual(wind('/////KT'), {});
    deepEqual(wind('/////'), {});
  });

  it('reads an estimated wind', () => deepEqual(wind('E16005KT'), { wdir: 160, wspd_kt: 5 }));

  it('lists what no wind can be', () => {
    for (const group of ['37010KT', '2208KT', '36300KT', '24O15KX', '240P20KT']) {
      const { fields, unexplained } = read(`${group} 24009KT`);
      deepEqual([unexplained[0], fields.wspd_kt], [group, 9]);
    }
  });

  it('lists a second wind that differs, and a gust not above the speed', () => {
    deepEqual(read('24015KT 18004KT').unexplained, ['18004KT']);
    deepEqual(read('24015KT 24015KT').unexplained, []);
    for (const group of ['24015G09KT', '24015G15KT', '240P99G50KT'])
      deepEqual(read(group).unexplained, [group]);
    deepEqual(wind('240P99GP99KT'), {
      wdir: 240,
      wspd_kt: 99,
      wgst_kt: 99,
      wspd_above: true,
      wgst_above: true,
    });
  });

  it('reads the extremes of a varying direction', () => {
    deepEqual(fieldsOf('24005KT 200V280', ['wdir_from', 'wdir_to']), { wdir_from: 200, wdir_to: 280 });
    deepEqual(fieldsOf('24005KT ///V///', ['wdir_from', 'wdir_to']), {});
    deepEqual(read('24005KT 200V380').unexplained, ['200V380']);
  });
});

const peak = (remark: string, time = '141253Z') => {
  const { pk_wdir, pk_wspd_kt, pk_time } = decode(
    `KJFK ${time} 27015G25KT 10SM CLR 12/08 A2992 RMK AO2 ${remark}`,
  ).fields;
  return [pk_wdir, pk_wspd_kt, pk_time];
};

describe('peak wind', () => {
  it('is read with hour and minute', () => {
    deepEqual(peak('PK WND 29032/1226'), [290, 32, '1226']);
    deepEqual(peak('PKWND 29032/1226'), [290, 32, '1226']);
  });

  it('takes the hour from the report where only minutes are given', () => {
    deepEqual(peak('PK WND 29032/26'), [290, 32, '1226']);
    deepEqual(peak('PK WND 29032/58'), [290, 32, '1158']);
    deepEqual(peak('PK WND 29032/58', '140010Z'), [290, 32, '2358']);
  });

  it('is read with a unit, and with its time after AT or before Z', () => {
    for (const remark of ['PK WND31047KT/1238', 'PKWND 31047 AT 1238Z', 'PKWND31047/1238Z'])
      deepEqual(peak(remark), [310, 47, '1238'], remark);
    deepEqual(peak('PK WND 31047 AT SEA'), [undefined, undefined, undefined]);
  });

  it('is left out where it cannot be', () => {
    for (const remark of [
      'PK WND',
      'PK WND 37032/26',
      'PK WND 29032/2561',
      'PK WND 29032/126',
      'PK 29032/26',
    ])
      deepEqual(peak(remark), [undefined, undefined, undefined]);
  });
});
