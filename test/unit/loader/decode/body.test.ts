import { deepEqual, equal } from 'node:assert/strict';
import { fieldsOf, read } from './read.ts';

describe('trend', () => {
  it('keeps the forecast as sent and reads none of it as an observation', () => {
    for (const trend of [
      'NOSIG',
      'TEMPO 26025G40KT 0400 TSRA BKN002CB',
      'BECMG AT1800 CAVOK',
      'BECMG FM1030 TL1130 9999 NSW NSC',
      'INTER 0730/0830 5000 SHRA SCT030',
      'FM0900 35010KT 9999 -SHRA SCT050',
      'PROB30 TEMPO 7000 SHRA',
    ]) {
      const report = `24008KT 5000 BR SCT008 10/09 Q1012 ${trend}`;
      deepEqual(fieldsOf(report, ['trend', 'wspd_kt', 'wgst_kt', 'visib_m', 'cavok', 'wx', 'clouds']), {
        trend,
        wspd_kt: 8,
        visib_m: 5000,
        cavok: false,
        wx: 'BR',
        clouds: [{ cover: 'SCT', base_ft: 800 }],
      });
    }
  });

  it('still reads the remarks behind it', () => {
    const { fields } = read('05/02 Q1020 TEMPO 2000 SN RMK QFE745', 'UUEE');
    deepEqual([fields.trend, fields.qfe_hpa], ['TEMPO 2000 SN', 993.3]);
  });

  it('stops at a second report in the same line', () => {
    const { fields, unexplained } = read(
      '29007KT CAVOK 29/26 Q1001 NOSIG= METAR OTBD 160000Z 30005KT 32/22 Q1003',
    );
    deepEqual([fields.trend, fields.wdir, fields.altim_hpa, unexplained], ['NOSIG', 290, 1001, []]);
  });

  it('stops at the station and time of a second report, which has no keyword', () => {
    const body = '29007KT 9999 FEW030 10/05 Q1016 TEMPO 3000 RA';
    for (const second of [
      'EGKK 141220Z 28008KT 9999 10/05 Q1016 RMK GRN',
      'EGLL 141220Z AUTO CAVOK',
      'METAR COR EGKK 141220Z',
    ])
      deepEqual(read(`${body} ${second}`), read(body));
    const alone = '29007KT 9999 FEW030 Q1016';
    deepEqual(read(`${alone} EGKK 141220Z 28008KT 3000 10/05 Q1012`), read(alone));
  });

  it('may be glued to its first group', () => {
    for (const [glued, trend] of [
      ['TEMPO3000 RA', 'TEMPO 3000 RA'],
      ['TEMPOSHRA', 'TEMPO SHRA'],
      ['TEMPOVRB20G35KT', 'TEMPO VRB20G35KT'],
      ['BECMGFM1410 3000', 'BECMG FM1410 3000'],
      ['BECMGTL1410 NSW', 'BECMG TL1410 NSW'],
      ['BECMG27015KT', 'BECMG 27015KT'],
      ['BECMGSCT008', 'BECMG SCT008'],
      ['INTER2000 SHRA', 'INTER 2000 SHRA'],
      ['PROB40TEMPO 1500 TSRA', 'PROB40 TEMPO 1500 TSRA'],
    ] as const)
      deepEqual(
        read(`24008KT 6000 HZ NSC 22/17 Q1012 ${glued}`),
        read(`24008KT 6000 HZ NSC 22/17 Q1012 ${trend}`),
      );
  });

  it('leaves a clear sky after NOSIG to CAVOK', () => {
    deepEqual(read('CAVOK 33/19 Q1006 NOSIG SKC').unexplained, []);
    for (const body of ['9999 33/19 Q1006 NOSIG SKC', '9999 FEW020 33/19 Q1006 NOSIG SKC', 'NOSIG NE/SE'])
      deepEqual(read(body).unexplained, [body.split(' ').at(-1)], body);
  });

  it('is not begun by words that only look like it', () => {
    for (const word of ['TEMPORARY', 'FMXXXX', 'PROB3', 'NOSIGNAL'])
      equal(read(`05/02 Q1020 ${word}`).unexplained[0], word);
  });
});
