import { deepEqual } from 'node:assert/strict';
import { decode } from '../../../../loader/decode.ts';

const BODY = '24008KT 9999 SCT020 12/08 Q1013';
const unexplained = (front: string) => decode(`${front} ${BODY}`).unexplained;

describe('header', () => {
  it('is found with the name of the report and without', () => {
    for (const front of [
      'EGLL 141250Z',
      'METAR EGLL 141250Z',
      'SPECI EGLL 141250Z',
      'METAR COR EGLL 141250Z',
      'COR EGLL 141250Z',
    ])
      deepEqual(unexplained(front), []);
    deepEqual(unexplained('K0CO 141250Z'), []);
  });

  it('reads AUTO, COR in all its places, NIL and late reports', () => {
    const flags = (report: string) => {
      const { auto, cor, nil } = decode(report).fields;
      return { auto, cor, nil };
    };
    deepEqual(flags(`EGLL 141250Z AUTO ${BODY}`), { auto: true, cor: undefined, nil: undefined });
    for (const front of ['COR EGLL 141250Z', 'EGLL 141250Z COR', 'CYYZ 141250Z CCB', 'EGLL COR 141250Z'])
      deepEqual(flags(`${front} ${BODY}`), { auto: undefined, cor: true, nil: undefined });
    for (const end of ['COR', 'CCA', 'NOSIG COR'])
      deepEqual(flags(`EGLL 141250Z ${BODY} ${end}`), { auto: undefined, cor: true, nil: undefined });
    deepEqual(flags('METAR EGLL 141250Z NIL='), { auto: undefined, cor: undefined, nil: true });
    deepEqual(unexplained('MMIO 141250Z RTD'), []);
  });

  it('takes NIL for a missing report only directly after the header, with no observation after it', () => {
    for (const report of [
      'METAR EGLL 141250Z NIL=',
      'EGLL 141250Z AUTO NIL',
      'EGLL 141250Z ATO NIL',
      'EGLL 141250Z CCA NIL',
      'EGLL NIL',
      'EGLL 141250Z N I L',
      'EGLL 141250Z NIL RMK AO2 $',
      'SUTB 141250Z AUSENTE',
      'SUPU 141250Z CLOSED',
    ])
      deepEqual(decode(report).fields.nil, true, report);
    for (const report of [
      'METAR XNIL 100800Z 33003KT 7000 NIL SCT018 23/21 Q1008',
      'METAR WAHH 100800Z 33003KT 7000 SCT018 23/21 Q1010 NIL',
      `EGLL 141250Z NIL ${BODY}`,
      `EGLL 141250Z ${BODY} RMK NIL`,
    ])
      deepEqual([decode(report).fields.nil, decode(report).unexplained], [undefined, []], report);
    deepEqual(decode('EGLL 141250Z 3300KT NIL').fields.nil, undefined);
  });

  it('lists a missing station and a missing time (D8)', () => {
    deepEqual(decode('').unexplained, ['<no station>', '<no time>']);
    deepEqual(decode('METAR EGLL NIL=').unexplained, ['<no time>']);
    deepEqual(decode(`EGLL ${BODY}`).unexplained, ['<no time>']);
  });

  it('reads the end of the time once more', () => {
    deepEqual(decode('OIBP 140600Z 600Z 00000KT CAVOK').unexplained, []);
    deepEqual(decode('OIBP 140600Z 700Z 00000KT CAVOK').unexplained, ['700Z']);
    for (const again of ['141250Z', '141250Z AUTO', 'AUTO 141250Z']) {
      const { fields, unexplained: rest } = decode(
        `TLPC 141250Z ${again}08012KT CAVOK`.replace('AUTO08', 'AUTO 08'),
      );
      deepEqual([fields.wdir, rest], [80, []], again);
    }
    deepEqual(decode('TLPC 141250Z 141300Z08012KT CAVOK').unexplained, ['141300Z08012KT']);
  });

  it('lists an impossible time', () => {
    for (const time of ['321250Z', '142450Z', '141260Z', '0141250Z'])
      deepEqual(unexplained(`EGLL ${time}`), ['<no time>', time]);
  });

  it('accepts a time that lost its Z and one with the wind glued on', () => {
    deepEqual(unexplained('EGLL 141250'), []);
    const { fields, unexplained: rest } = decode('MGTU 141250Z32004KT CAVOK 33/23');
    deepEqual([fields.wdir, rest], [320, []]);
  });

  const wind = (report: string) => [decode(report).fields.wdir, decode(report).unexplained];

  it('takes another letter, or the 2, in the place of the Z for it', () => {
    for (const time of ['141250R', '141250E', '1412502']) deepEqual(wind(`EGLL ${time} ${BODY}`), [240, []]);
    for (const time of ['1412503', '141250?', '142550R'])
      deepEqual(wind(`EGLL ${time} ${BODY}`), [240, ['<no time>', time]]);
    deepEqual(wind('EGLL 141250R24008KT CAVOK'), [undefined, ['<no time>', '141250R24008KT']]);
  });

  it('drops one stray letter behind the Z', () => {
    deepEqual(wind(`EGLL 141250ZX ${BODY}`), [240, []]);
    deepEqual(wind('EGLL 141250ZX24008KT CAVOK 12/08 Q1013'), [240, []]);
    deepEqual(wind('EGLL 141250ZE24008KT CAVOK 12/08 Q1013'), [240, []]);
    deepEqual(wind('EGLL 141250ZX2408KT CAVOK 12/08 Q1013'), [undefined, ['X2408KT']]);
    deepEqual(wind(`EGLL 141250ZXY ${BODY}`), [240, ['XY']]);
  });

  it('lists what stands in front of the station', () => {
    deepEqual(unexplained('SAUK31 EGRR 141250 METAR EGLL EGLL 141250Z'), ['SAUK31', 'EGRR', '141250']);
  });

  it('takes the true header behind a wrong one, and lists what it contradicts', () => {
    deepEqual(unexplained('ATAR 141250Z METAR EGLL 141250Z'), ['ATAR']);
    deepEqual(unexplained('EGLL 141220Z METAR EGLL 141250Z'), ['141220Z']);
    deepEqual(unexplained('EGLL 141250Z EGLL 141250Z'), []);
    deepEqual(unexplained('EGLL 141250Z EGLL'), []);
    deepEqual(unexplained('EGLL 141250Z SPECI'), []);
  });

  it('leaves the maintenance sign to a second report in the line', () => {
    const raw =
      'KJFK 141250Z 24008KT 10SM 12/08 A2992 RMK AO2 KLGA 141251Z 24009KT 10SM 12/08 A2992 RMK AO2 $';
    deepEqual([decode(raw).fields.maint, decode(raw).unexplained], [undefined, []]);
  });

  it('takes the maintenance sign from the end', () => {
    for (const end of [' $', '$', ' $=', ' RMK AO2 $', ' RMK AO2$', ' $ RMK AO2']) {
      const { fields, unexplained: rest } = decode(`KJFK 141250Z ${BODY}${end}`);
      deepEqual([fields.maint, rest], [true, []]);
    }
  });
});
