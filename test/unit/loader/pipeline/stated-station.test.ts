import assert from 'node:assert/strict';
import { isOneLetterOff, normalize } from '../../../../loader/pipeline/normalize.ts';

const filedAt = Date.parse('2024-01-01T06:00:00Z') / 1000;
const GROUPS = '27005KT 9999 FEW020 10/05 Q1015';

function normalizeOne(text: string, station = 'CYHZ') {
  const { reports, skipped, statedCodes } = normalize({ rows: [{ station, filedAt, text }], skipped: {} });
  return {
    kept: reports.length === 1,
    skipped: Object.keys(skipped),
    stated: [...(statedCodes?.values() ?? [])],
  };
}

describe('a text in the row of a station (D67)', () => {
  const NO_REPORT = 'text without station and time';
  for (const [text, reason] of [
    ['null', NO_REPORT],
    ['NaN', NO_REPORT],
    ['None', NO_REPORT],
    ['NA', NO_REPORT],
    ['N/A', NO_REPORT],
    ['-', NO_REPORT],
    ['$', NO_REPORT],
    ['///', NO_REPORT],
    ['No Data', NO_REPORT],
    ['NIÑO', NO_REPORT],
    ['METAR CYHZ NOT AVAILABLE', NO_REPORT],
    ['CYHZ NO DATA', NO_REPORT],
    ['ERROR: server over capacity, please try later', NO_REPORT],
    ['Oopsy, something failed on our end...', NO_REPORT],
    ['ERROR 010600Z query failed', NO_REPORT],
    [GROUPS, NO_REPORT],
    ['NULL', 'empty text'],
    ['CYHZ', 'empty text'],
    ['TAF CYHZ 312340Z 0100/0124 27005KT P6SM FEW020', 'another kind of report'],
    ['TAF AMD CYHZ 312340Z 0100/0124 27005KT P6SM FEW020', 'another kind of report'],
    ['CYHZ 312340Z 0100/0124 27005KT P6SM FEW020', 'another kind of report'],
    ['AAXX 01014 71395 32598 02705 10050 20010', 'another kind of report'],
    ['CYHZ 010600 AAXX 01064 71395 32598 02705', 'another kind of report'],
    ['CYHZ UA /OV CYHZ /TM 0605 /FL050 /TP B737', 'another kind of report'],
    [`EGLL 010600Z ${GROUPS}`, 'wrong station'],
    [`METAR EGLL 010600Z ${GROUPS}`, 'wrong station'],
    [`METAR COR EGLL 010600Z ${GROUPS}`, 'wrong station'],
    [`EGLL ${GROUPS}`, 'wrong station'],
    ['EGLL 010600Z NIL', 'wrong station'],
    // A header of another bulletin before the true one.
    [`CYHZ 010600Z METAR CYOW 010600Z ${GROUPS}`, 'wrong station'],
    // Two letters off, which two letters in the wrong order are too.
    [`CYZH 010600Z ${GROUPS}`, 'wrong station'],
    [`CYOW 010600Z ${GROUPS}`, 'wrong station'],
  ] as const)
    it(`is skipped as ${reason}: ${text}`, () =>
      assert.deepEqual(normalizeOne(text), { kept: false, skipped: [reason], stated: [] }));

  it('is skipped where KBVE has a report of KBTR', () =>
    assert.deepEqual(normalizeOne('METAR KBTR 010600Z 27005KT', 'KBVE').skipped, ['wrong station']));

  for (const text of [
    `CYHZ 010600Z ${GROUPS}`,
    `SPECI CYHZ 010600Z CCA ${GROUPS}`,
    `METAR COR CYHZ 010600Z ${GROUPS}`,
    'CYHZ 010600Z',
    'CYHZ 010600Z NIL',
    `METAR CYOW 010600Z METAR CYHZ 010600Z ${GROUPS}`,
    // Reports that lack their time, or have one that cannot be read, have that of the source.
    `METAR CYHZ ${GROUPS}`,
    `CYHZ 0100600Z ${GROUPS}`,
    'CYHZ M01/M01 RMK T10081010',
    // Reports that lack their station.
    `METAR 010600Z ${GROUPS}`,
    'MOBOB0 METAR 7026 //008 000000 010600Z AUTO VRB01KT 9999 CLR 02/M08 A3047',
    `CYHZ 010600Z ${GROUPS} RMK TAF AMD EGLL`,
  ])
    it(`is a report: ${text}`, () =>
      assert.deepEqual(normalizeOne(text), { kept: true, skipped: [], stated: [] }));

  for (const code of ['CYHX', 'XYHZ', 'KCYHZ', 'CYZ', 'CYHHZ', 'YHZ'])
    it(`is a report that may be of another station, one letter off: ${code}`, () => {
      const [text, stated] = [`METAR ${code} 010600Z ${GROUPS}`, [code]];
      assert.deepEqual(normalizeOne(text), { kept: true, skipped: [], stated });
    });

  it('is one letter off where one is another, missing or added', () => {
    const codes = ['CYHZ', 'CYHX', 'CYH', 'YHZ', 'CYYHZ', 'CYHZA', 'CHYZ', 'CY', 'CYHZAA', 'CXXZ', ''];
    assert.deepEqual(
      codes.filter((code) => isOneLetterOff(code, 'CYHZ')),
      ['CYHX', 'CYH', 'YHZ', 'CYYHZ', 'CYHZA'],
    );
  });
});
