import { deepEqual, equal } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { DERIVED_FIELDS } from '../../../clickhouse/model/derived-fields.ts';
import { DECODED_FIELDS, type Decoded } from '../../../clickhouse/model/fields.ts';
import { DECODER_VERSION, decode } from '../../../loader/decode.ts';
import { REPORTS } from '../../fixtures/reports.ts';

/**
 * The fields that this version of the decoder knows or derives, and what it makes of the first reports of the fixture: replace the row for a
 * new version. `redecode` skips reports of its own version, so archives would keep what an older decoder of the same number
 * made.
 */
const VERSIONS: Readonly<Record<number, { readonly reports: number; readonly sha256: string }>> = {
  17: { reports: 18, sha256: '8bace839a3f8bbb6d5858651d1b423b8e838bd262d624dd65de7187393e1953d' },
};

/** Groups of every kind, sound, missing and garbled: random text alone would seldom reach a rule. */
const GROUPS = [
  'METAR SPECI COR CCA AUTO NIL RTD EGLL KJFK UUEE 141250Z 321250Z',
  '24015G27KT VRB03KT /////KT 00000MPS 99999KT 200V280 9999 0350 2000SW 10SM 1/4SM 1 M1/4SM CAVOK ////',
  'R27L/0350N R24/0900VP2000U R/////// -RA +TSRA BR // RERA RE// FEW018CB BKN/// ////// VV002 VV/// NSC SKC',
  '12/08 M00/M10 ///// 27/ 99/99 Q1013 A2992 Q//// QNH 1012 R24/290150 01010070 W15/S4 BLU+ WS R03 ALL RWY',
  'NOSIG TEMPO BECMG FM0900 RMK AO2 T01220083 SLP132 PK WND 29032/26 P0000 60012 4/012 SNINCR 2/10 52032 $',
]
  .join(' ')
  .split(' ');

const group = fc.constantFrom(...GROUPS);
const report = fc
  .array(fc.oneof({ weight: 4, arbitrary: group }, { weight: 1, arbitrary: fc.string({ maxLength: 12 }) }), {
    maxLength: 40,
  })
  .map((tokens) => tokens.join(' '));
const anyText = fc.oneof(report, fc.string({ unit: 'binary', maxLength: 300 }));

/** A body that a forecast does not end, so that remarks can be added to it. */
const body = fc
  .subarray('24015G27KT 200V280 2000 -RA FEW018CB OVC250 12/08 Q1013 RETS W15/S4 FOOBAR'.split(' '))
  .map((tokens) => `EGLL 141250Z ${tokens.join(' ')}`);

const remark = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'AO2 SLP132 PK WND 29032/26 CB 36099KT 0100 Q0990 OVC001 RA NOSIG'.split(' ')),
      fc.string({ maxLength: 10 }),
    ),
    { maxLength: 12 },
  )
  .map((words) => words.join(' ').replaceAll(/\b(?:METAR|SPECI)\b/g, ''));

describe('decode', () => {
  it('reads a whole report', () => {
    deepEqual(decode('METAR LKPR 141230Z 24008G18KT 4000 -SHRA FEW020 BKN033CB 12/M01 Q1009 RETS NOSIG='), {
      fields: {
        cavok: false,
        wdir: 240,
        wspd_kt: 8,
        wgst_kt: 18,
        visib_m: 4000,
        wx: '-SHRA',
        clouds: [
          { cover: 'FEW', base_ft: 2000 },
          { cover: 'BKN', base_ft: 3300, type: 'CB' },
        ],
        temp_c: '12',
        dewp_c: '-1',
        altim_hpa: 1009,
        rewx: 'TS',
        trend: 'NOSIG',
        fltcat: 'IFR',
      },
      unexplained: [],
    });
  });

  it('gives cavok always, and no key without a value (D9)', () => {
    fc.assert(
      fc.property(anyText, (raw) => {
        const { fields } = decode(raw);
        equal(typeof fields.cavok, 'boolean');
        for (const value of Object.values(fields)) equal(value === undefined || value === null, false);
      }),
    );
  });

  it('never throws, gives the same twice, and what JSON can carry', () => {
    fc.assert(
      fc.property(anyText, (raw) => {
        const decoded = decode(raw);
        deepEqual(decode(raw), decoded);
        deepEqual(JSON.parse(JSON.stringify(decoded)), decoded);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the fields of the body whatever remark is appended', () => {
    fc.assert(
      fc.property(body, remark, (raw, words) => {
        const before = decode(raw);
        const after = decode(`${raw} RMK ${words}`);
        deepEqual(after.unexplained, before.unexplained);
        for (const [name, value] of Object.entries(before.fields))
          deepEqual(after.fields[name as keyof Decoded], value);
      }),
      { numRuns: 500 },
    );
  });

  it('lists every token of the body that no rule explains', () => {
    fc.assert(
      fc.property(body, fc.stringMatching(/^[JKL][JKXZ]{3,9}$/), fc.nat(20), (raw, word, place) => {
        const tokens = raw.split(' ');
        tokens.splice(2 + (place % (tokens.length - 1)), 0, word);
        equal(decode(tokens.join(' ')).unexplained.includes(word), true);
      }),
    );
  });

  it('takes time in proportion to the length', () => {
    for (const unit of [
      'A',
      '/',
      '0',
      ' 0',
      ' R/',
      ' 1/2',
      ' CB',
      ' O0',
      ' M',
      ' FEW 0',
      ' PK WND',
      '=',
      'BLU',
      ' METAR EGLL',
      ' TEMPO',
      ' NIL',
      ' NOSIG',
      ' WS ALL',
      ' Q1',
    ])
      for (const front of ['', 'EGLL 141250Z 12/08 Q1013 ', 'KJFK 141250Z 12/08 A2992 RMK ']) {
        const textOf = (bytes: number) => front + unit.repeat(bytes / unit.length);
        const [long, short] = [textOf(24_000), textOf(3_000)];
        // Eight times the text takes 64 times as long where a rule is quadratic, in every attempt.
        const ratios: number[] = [];
        while (ratios.length < 5 && !ratios.some((ratio) => ratio < 24))
          ratios.push(cpuTimeOf(long) / cpuTimeOf(short));
        equal(Math.min(...ratios) < 24, true, `${front}${unit}: ${ratios}`);
      }
  });

  it('has another version when it has another field or makes something else of a report: else raise DECODER_VERSION', () => {
    const { reports, sha256 } = VERSIONS[DECODER_VERSION] ?? { reports: REPORTS.length, sha256: 'none' };
    const derive = (raw: string) => DERIVED_FIELDS.map(({ compute }) => compute(decode(raw).fields));
    const texts = REPORTS.slice(0, reports);
    const names = [...DECODED_FIELDS, ...DERIVED_FIELDS].map(({ name }) => name);
    const made = [names, texts.map(decode), texts.map(derive)];
    const hash = createHash('sha256').update(JSON.stringify(made)).digest('hex');
    equal(
      hash,
      sha256,
      `the row of version ${DECODER_VERSION} would be { reports: ${reports}, sha256: '${hash}' }`,
    );
  });
});

/** Microseconds of this process, so that other programs of the machine do not count. */
function cpuTimeOf(raw: string): number {
  const before = process.cpuUsage();
  decode(raw);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
