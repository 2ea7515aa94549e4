import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fingerprint } from '../../../../clickhouse/model/report.ts';
import { decode } from '../../../../loader/decode.ts';
import {
  isNil,
  isOneLetterOff,
  normalize,
  observationTime,
  oneLine,
  startOf,
} from '../../../../loader/pipeline/normalize.ts';
import { MinuteHistogram, sentTypeOf } from '../../../../loader/pipeline/report-type.ts';
import { keywordOf, type SourceRow } from '../../../../loader/sources/format.ts';

const filedAt = Date.parse('2024-01-15T12:00:00Z') / 1000;
const row = (text: string, more: Partial<SourceRow> = {}): SourceRow => ({
  station: 'XAAA',
  filedAt,
  text,
  ...more,
});

describe('normalization of rows', () => {
  it('gives each report its identity, its text on one line and the type that the source sent (D3, D5)', () => {
    const { reports, skipped } = normalize({
      rows: [row('METAR XAAA 151200Z  18004KT\r\n     CAVOK 12/07 Q1013 =')],
      skipped: {},
    });
    assert.deepEqual(reports, [
      {
        station: 'XAAA',
        observedAt: filedAt,
        fingerprint: fingerprint('XAAA 151200Z 18004KT CAVOK 12/07 Q1013'),
        raw: 'METAR XAAA 151200Z 18004KT CAVOK 12/07 Q1013',
        sentType: 'METAR',
        nil: false,
      },
    ]);
    assert.deepEqual(skipped, {});
  });

  it('prefers the keyword to the type beside the text', () => {
    const { reports } = normalize({
      rows: [
        row('SPECI XAAA 151200Z CAVOK', { type: 'METAR' }),
        row('XAAA 151201Z CAVOK', { type: 'SPECI' }),
      ],
      skipped: {},
    });
    assert.deepEqual(
      reports.map(({ sentType }) => sentType),
      ['SPECI', 'SPECI'],
    );
  });

  it('keeps a NIL report with a time and counts one without as `NIL without time` (D8)', () => {
    const { reports, skipped } = normalize({
      rows: [
        row('METAR XAAA 151200Z NIL='),
        row('METAR XAAA NIL='),
        row('METAR XAAA 151230Z 18004KT RMK NIL'),
      ],
      skipped: { 'wrong station': 2 },
    });
    assert.deepEqual(
      reports.map(({ nil }) => nil),
      [true, false],
    );
    assert.deepEqual(skipped, { 'wrong station': 2, 'NIL without time': 1 });
  });

  it('skips empty texts', () => {
    const texts = ['', '=', ' \n ', 'METAR XAAA=', 'XAAA', 'SPECI'];
    assert.deepEqual(normalize({ rows: texts.map((text) => row(text)), skipped: {} }).skipped, {
      'empty text': texts.length,
    });
  });

  it('agrees with the decoder about NIL', () => {
    for (const [raw, nil] of [
      ['METAR XAAA 151200Z NIL', true],
      ['XAAA 151200Z N I L', true],
      ['XAAA 151200Z nil', true],
      ['XAAA 151230Z 18004KT 9999 NIL SCT018 12/07 Q1013', undefined],
      ['XAAA 151230Z 18004KT CAVOK 12/07 Q1013 RMK NIL', undefined],
    ] as const)
      assert.deepEqual([isNil(raw), decode(raw).fields.nil], [nil === true, nil], raw);
  });
});

describe('oneLine (D5)', () => {
  it('removes control characters, runs of blanks and trailing equals signs, and nothing else', () => {
    assert.equal(oneLine('\u0001XAAA\t151200Z \u0003 18004KT$ = =\n'), 'XAAA 151200Z 18004KT$');
    assert.equal(oneLine('XAAA 151200Z 18004KT'), 'XAAA 151200Z 18004KT');
    assert.equal(oneLine('A\u00a0 B\tC\u00a0D\u00a0'), 'A B C\u00a0D');
  });

  it('changes nothing the second time, and takes linear time', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        (text) => oneLine(oneLine(text)) === oneLine(text),
      ),
    );
    assert.equal(oneLine(`XAAA ${'= '.repeat(50_000)}`), 'XAAA');
  });
});

const seconds = (text: string) => Date.parse(text) / 1000;
const resolve = (raw: string, filed: string) => {
  const time = observationTime(startOf(raw).dayTime, seconds(`${filed}Z`));
  return time && new Date(time * 1000).toISOString().slice(0, 16);
};

describe('observation time (D86)', () => {
  for (const [what, raw, filed, observed] of [
    ['that of the report', 'METAR XAAA 020100Z 07018KT', '2012-01-02T00:48', '2012-01-02T01:00'],
    ['in the next year', 'XAAA 010002Z 07018KT', '2023-12-31T23:58', '2024-01-01T00:02'],
    ['in the month before', 'XAAA 292355Z 07018KT', '2024-03-01T00:00', '2024-02-29T23:55'],
    ['48 hours before', 'XAAA 131200Z', '2024-01-15T12:00', '2024-01-13T12:00'],
    ['not earlier', 'XAAA 131159Z', '2024-01-15T12:00', undefined],
    ['three hours after', 'XAAA 151500Z', '2024-01-15T12:00', '2024-01-15T15:00'],
    ['not later', 'XAAA 151501Z', '2024-01-15T12:00', undefined],
    ['none of another week', 'METAR XAAA 291600Z 07018KT', '2005-04-25T16:00', undefined],
    ['none on a day that the month lacks', 'XAAA 312350Z', '2024-05-01T00:10', undefined],
    ['that of the source without another', 'METAR XAAA 07018KT', '2024-01-15T12:00', '2024-01-15T12:00'],
    ['that of the source beside no time', 'METAR XAAA 012460Z', '2024-01-15T12:00', '2024-01-15T12:00'],
    ['a whole minute', 'METAR XAAA', '2024-01-15T12:00:59', '2024-01-15T12:00'],
  ] as const)
    it(`is ${what}: ${raw} at ${filed}`, () => assert.equal(resolve(raw, filed), observed));

  it('is that of another day or hour: the text is skipped', () => {
    const { reports, skipped } = normalize({ rows: [row('XAAA 151501Z 18004KT CAVOK')], skipped: {} });
    assert.deepEqual([reports, skipped], [[], { 'the text has another time': 1 }]);
  });

  it('is found as the decoder finds it, and after a military header', () => {
    const time = { day: 2, hour: 17, minute: 23 };
    for (const raw of [
      'METAR COR XAAA 021723Z 07018KT',
      'SPECI XAAA COR 021723 07018KT',
      'XAAA 021723Z07018KT',
      'XAAA 021723R 07018KT',
      'XAAB 021720Z METAR XAAA 021723Z 07018KT',
      'MOBOB0 METAR 7026 //008 000000 021723Z AUTO',
    ])
      assert.deepEqual(startOf(raw).dayTime, time, raw);
  });

  it('is not taken from the remarks', () => {
    assert.equal(startOf('XAAA AUTO 07018KT 9999 CLR 10/10 Q1013 RMK 021723Z').dayTime, undefined);
  });
});

describe('type of a report', () => {
  it('is the keyword at its start', () => {
    assert.equal(keywordOf('METAR XAAA 010000Z'), 'METAR');
    assert.equal(keywordOf('speci xaaa 010003z'), 'SPECI');
    assert.equal(keywordOf('XAAA 010000Z RMK METAR SPECI'), undefined);
    assert.equal(keywordOf('METARXAAA'), undefined);
  });

  it('is that of a typed source where the text has no keyword', () => {
    const stored = { raw: 'XAAA 010003Z', type: 'SPECI' } as const;
    assert.equal(sentTypeOf({ ...stored, source: 'ncei' }), 'SPECI');
    assert.equal(sentTypeOf({ ...stored, source: 'iem' }), undefined);
  });

  it('is METAR at minutes with at least a tenth of the reports of the most frequent minute', () => {
    const at = (minute: number) => Date.parse(`2024-01-31T12:${minute}:00Z`) / 1000;
    const minutes = new MinuteHistogram();
    minutes.add({ station: 'XAAA', observedAt: at(51) }, 1000);
    minutes.add({ station: 'XAAA', observedAt: at(20) }, 100);
    minutes.add({ station: 'XAAA', observedAt: at(33) }, 99);
    minutes.add({ station: 'XAAA', observedAt: at(40), sentType: 'SPECI' }, 500);
    minutes.add({ station: 'XAAB', observedAt: at(44) }, 5000);
    const isMetar = minutes.inference();
    assert.deepEqual(
      [51, 20, 33, 44, 40].map((minute) => isMetar('XAAA', at(minute))),
      [true, true, false, false, false],
    );
    assert.equal(isMetar('XAAA', at(51) + 366 * 86_400), false, 'another year');
  });
});

const STATED_ROW = { filedAt: Date.parse('2024-01-01T06:00:00Z') / 1000 };
const GROUPS = '27005KT 9999 FEW020 10/05 Q1015';

function normalizeOne(text: string, station = 'CYHZ') {
  const { reports, skipped } = normalize({
    rows: [{ ...STATED_ROW, station, text }],
    skipped: {},
  });
  return {
    kept: reports.length === 1,
    skipped: Object.keys(skipped),
    stated: reports.flatMap(({ stated }) => stated ?? []),
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
    `METAR CYHZ 010600Z ${GROUPS}`.toLowerCase(),
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

  it('is one letter off where one letter differs, is missing or is added', () => {
    const codes = ['CYHZ', 'CYHX', 'CYH', 'YHZ', 'CYYHZ', 'CYHZA', 'CHYZ', 'CY', 'CYHZAA', 'CXXZ', ''];
    assert.deepEqual(
      codes.filter((code) => isOneLetterOff(code, 'CYHZ')),
      ['CYHX', 'CYH', 'YHZ', 'CYYHZ', 'CYHZA'],
    );
  });
});
