import assert from 'node:assert/strict';
import { reportsIn } from '../../../../loader/sources/two-reports.ts';

const [GROUPS, OTHERS] = ['24010KT 9999 FEW012 17/16 Q1010', '25012KT 9999 FEW012 18/16 Q1011'];
const CUT = 'second report of a text, cut off';

describe('a text that holds two reports (D87)', () => {
  for (const [first, second, station = 'XAAA'] of [
    [`METAR XAAA 020050Z ${GROUPS}= `, `METAR XAAA 020150Z ${OTHERS}=`],
    [`METAR XAAA 020050Z ${GROUPS}=`, `XAAA 020150Z ${OTHERS}=`],
    [`XAAA 020050Z ${GROUPS} NOSIG `, `METAR XAAB 020050Z ${OTHERS}`, 'XAAB'],
    [`XAAA 020050Z ${GROUPS}=5 `, `SPECI COR XAAB 020053 ${OTHERS}`, 'XAAB'],
    [`XAAA 020050Z ${GROUPS} RMK AO2\n   `, `XAAB 020050Z AUTO ${OTHERS}`, 'XAAB'],
    [`XAAA 020050Z ${GROUPS} RMK AO2 `, `METAR XAAB 020050Z`, CUT],
    [`XAAA 020050Z ${GROUPS} `, `METAR 020150Z ${OTHERS}`],
    [`XAAA 020050Z ${GROUPS}`, `METAR XAAA 020150Z ${OTHERS}`],
    [`XAAA 020050Z ${GROUPS} `, `XAAA 020150 ${OTHERS}`],
    [`XAAA 020050Z ${GROUPS} RMK AO2= `, `020150Z ${OTHERS}`],
    [`XAAA 020050Z ${GROUPS}= `, `AUTO ${OTHERS}=`],
    [`XAAA 020050Z ${GROUPS} `, 'XAAB 020050Z=', CUT],
    [`XAAA 020050Z ${GROUPS} RMK AO2 `, `TAF AMD XAAA 020500Z 0206/0312 ${OTHERS}`],
    [`METAR XAAA 020050Z NIL= `, `METAR XAAB NIL=`, 'XAAB'],
  ] as const)
    it(`is both: ${JSON.stringify(first + second)}`, () => {
      const row = {
        station: 'XAAA',
        filedAt: 0,
        type: 'METAR',
        place: { latitude: 1, longitude: 2 },
      } as const;
      const { place: _, ...others } = row;
      assert.deepEqual(reportsIn({ ...row, text: first + second }), [
        { ...row, text: first },
        station === CUT
          ? { station: second.includes('XAAB') ? 'XAAB' : 'XAAA', filedAt: 0, reason: CUT }
          : { ...others, station, text: second },
      ]);
    });

  for (const text of [
    `METAR XAAA 020050Z ${GROUPS}`,
    // The header of a collective or of another report before the true one.
    `XAAB 020100Z METAR XAAA 020050Z ${GROUPS}`,
    `XAAB 020100 RRB METAR XAAA 020050Z ${GROUPS}`,
    `METAR METAR COR XAAA 020050Z XAAA 020050Z ${GROUPS}`,
    `XAAA 020050Z ${GROUPS} RMK LAST STFD OBS/NEXT 021200Z`,
    `TAF XAAA 020500Z 0206/0312 ${GROUPS} FM020900 25012KT P6SM`,
    `XAAA 020050Z ${GROUPS} NEXT 021200Z`,
    `XAAA 020050Z ${GROUPS} RMK METAR CORR 0055 SPECI SENT LATE`,
    `XAAA 020050Z ${GROUPS} RMK WX OF XAAB 020050Z`,
    `XAAA 020050Z ${GROUPS}= NOSIG=`,
    `XAAA 020050Z ${GROUPS} BECMG 25015KT RMK WIND 1500FT 26020KT TEMP 010203`,
    `XAAA 020050Z ${'XAAB 020050Z '.repeat(400)}`,
  ])
    it(`is one: ${JSON.stringify(text.slice(0, 90))}`, () => {
      const row = { station: 'XAAA', filedAt: 0, text };
      assert.deepEqual(reportsIn(row), [row]);
    });
});
