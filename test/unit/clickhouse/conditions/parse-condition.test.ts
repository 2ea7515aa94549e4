import assert from 'node:assert/strict';
import { canonicalCondition, conditionSql } from '../../../../clickhouse/conditions/condition.ts';
import { parseCondition } from '../../../../clickhouse/conditions/parse-condition.ts';
import { ConditionError } from '../../../../clickhouse/conditions/tokens.ts';
import { SqlParameters } from '../../../../clickhouse/statements/sql.ts';
import { RandomConditions } from '../../../support/conditions/random-conditions.ts';
import { seededRandom } from '../../../support/random.ts';
import { repetitions } from '../../../support/repetitions.ts';

const canonical = (text: string) => canonicalCondition(parseCondition(text));

function mistakeOf(text: string): ConditionError {
  try {
    parseCondition(text);
  } catch (error) {
    assert.ok(error instanceof ConditionError, String(error));
    return error;
  }
  return assert.fail(`accepted: ${text}`);
}

/** Texts of one meaning, and their canonical text. */
const MEANINGS: readonly (readonly [canonical: string, ...texts: string[]])[] = [
  [
    'visib_m < 800',
    'visib_m<800',
    ' visib_m\t<\n800.0 ',
    '"visib_m" < 8e2',
    '800 > visib_m',
    '+800 > visib_m',
  ],
  ['temp_c >= -2.5', 'temp_c >= -2.50', '-2.5 <= temp_c', 'temp_c>=-25e-1'],
  ['temp_c = 0', 'temp_c = -0', 'temp_c IN (0)', 'temp_c in (0, 0.0)', '((temp_c = 0))'],
  ["wx LIKE '%FZRA%'", "wx like '%%FZRA%'", "(wx LIKE '%F\\ZRA%')"],
  ["wx = 'it''s'", "wx = 'it\\'s'"],
  [
    "(fltcat = 'IFR' OR fltcat = 'LIFR')",
    "fltcat='LIFR' or fltcat='IFR'",
    "fltcat='IFR' Or fltcat='LIFR' oR fltcat='IFR'",
    "fltcat in ('LIFR','IFR','LIFR')",
  ],
  ['auto = TRUE', 'NOT (NOT auto = TRUE OR NOT auto = TRUE)'],
  [
    '(auto = TRUE OR cor = TRUE OR maint = TRUE)',
    'cor=TRUE OR ((auto=TRUE OR maint=TRUE) AND (maint=TRUE OR auto=TRUE))',
  ],
  [
    '((temp_c < 0 AND wspd_kt > 20) OR ceiling_ft < 200)',
    'temp_c < 0 AND wspd_kt > 20 OR ceiling_ft < 200',
    'ceiling_ft < 200 OR (wspd_kt > 20 AND (temp_c < 0))',
  ],
  ['(temp_c <= 5 AND temp_c >= -5)', 'temp_c BETWEEN -5 AND 5', 'temp_c >= -5 AND temp_c <= 5'],
  ['(auto = TRUE AND temp_c <= 5 AND temp_c >= -5)', 'auto=true AND temp_c BETWEEN -5 AND 5'],
  ['NOT ((temp_c <= 5 AND temp_c >= -5))', 'temp_c NOT BETWEEN -5 AND 5'],
  ['NOT (wgst_kt IS NULL)', 'wgst_kt IS NOT NULL', 'NOT wgst_kt IS NULL', 'NOT NOT NOT wgst_kt IS NULL'],
  ['wgst_kt IS NULL', 'NOT (wgst_kt IS NOT NULL)'],
  ["NOT (raw LIKE '%RMK%')", "raw NOT LIKE '%RMK%'", "NOT raw LIKE '%RMK%'"],
  ["NOT (type = 'SPECI')", "NOT type = 'SPECI'", "type NOT IN ('SPECI')"],
];

/** A text with a mistake, the character at which it begins, and what the message says. */
const MISTAKES: readonly (readonly [text: string, position: number, detail: RegExp])[] = [
  ['', 1, /expected the name of a field.*found the end/],
  ['temp', 1, /no field temp: the nearest is temp_c/],
  ['temp_c < 1 AND visib_n < 5', 16, /the nearest is visib_m/],
  ['TEMP_C < 1', 1, /the nearest is temp_c/],
  ['zzzzzzzz < 1', 1, /there is no field zzzzzzzz: \/docs\/decoded-fields lists them$/],
  ['clouds = 3', 1, /use ceiling_ft, because clouds is a list/],
  ['constructor = 1', 1, /there is no field constructor: /],
  ['temp_kt < 1', 1, /there is no field temp_kt: write temp_c or temp_f or temp_k$/],
  ['crosswind(400) > 1', 1, /no field crosswind\(400\): write crosswind\(40\), .* degrees from 0 to 360/],
  ['crosswind() > 1', 1, /with the direction of a runway/],
  ['crosswind(wdir) > 1', 1, /with the direction of a runway/],
  ['crosswind(40;mean) > 1', 1, /or crosswind\(40;gust\)$/],
  ['crosswind > 1', 1, /with the direction of a runway/],
  ['crosswind_c(40) > 1', 1, /with the direction of a runway/],
  ["station = 'KJFK'", 1, /there is no field station: use the parameter stations$/],
  ['month = 1', 1, /there is no field month: use the parameters from and to, or by=month of statistics$/],
  ['temp_c', 7, /expected a comparison.*found the end/],
  ['temp_c <', 9, /expected a number for temp_c; found the end/],
  ["temp_c < 'cold'", 10, /expected a number for temp_c; found 'cold'/],
  ['temp_c != 1', 8, /write <> for not equal/],
  ['temp_c < 1 2', 12, /expected AND, OR or the end; found 2/],
  ['(temp_c < 1', 12, /expected AND, OR or \)/],
  ['temp_c < 1)', 11, /expected AND, OR or the end; found \)/],
  ['temp_c < 1e999', 10, /expected a number/],
  ['temp_c < 1.2.3', 10, /not a number/],
  ['temp_c IS 1', 11, /expected NULL or NOT NULL/],
  ['temp_c IS NOT 1', 15, /expected NULL;/],
  ['temp_c NOT = 1', 12, /expected BETWEEN, IN or LIKE/],
  ['temp_c BETWEEN 1 OR 2', 18, /expected AND and the upper bound/],
  ['temp_c IN 1', 11, /expected \( and a list/],
  ['temp_c IN ()', 12, /expected a number/],
  ['temp_c IN (1 2)', 14, /expected , or \)/],
  ["temp_c LIKE '1%'", 8, /LIKE is for text/],
  ['wx LIKE RA', 9, /a pattern in single quotes/],
  ["wx LIKE 'RA\\", 9, /has no end/],
  ["wx LIKE 'RA\\'", 9, /at the end of a pattern/],
  ["wx = 'RA", 6, /has no end/],
  ['wx = "RA"', 6, /expected text in single quotes/],
  ["fltcat = 'BAD'", 10, /expected one of 'VFR', 'MVFR', 'IFR', 'LIFR' for fltcat; found 'BAD'/],
  ["fltcat < 'VFR'", 8, /no order/],
  ['auto = FALSE', 6, /write auto = TRUE or auto IS NULL/],
  ['auto', 5, /expected a comparison/],
  ["raw = 'KJFK'", 5, /expected LIKE or NOT LIKE/],
  ["'KJFK' = raw", 1, /can only be matched/],
  ['raw IS NULL', 8, /every report has raw/],
  ['temp_c < 1 && fog = TRUE', 12, /write AND or OR between conditions/],
  ['temp_c < 1; DROP TABLE observations', 11, /";" has no meaning here/],
  ['temp_c < 1 -- all', 12, /"-" has no meaning here/],
  ['wx LIKE \ufffd', 9, /not UTF-8.*%25/],
  ['😀😀 < 1', 1, /has no meaning here/],
  ["wx = '😀' AND bad = 1", 14, /no field bad/],
  [`temp_c < 1${' '.repeat(991)}`, 1001, /at most 1000 characters/],
  [Array(21).fill('auto=TRUE').join(' OR '), 261, /at most 20 comparisons/],
  [`${'('.repeat(21)}auto=TRUE${')'.repeat(21)}`, 22, /at most 20 nested NOT and parentheses/],
  [`${'NOT '.repeat(21)}auto=TRUE`, 85, /at most 20 nested NOT and parentheses/],
];

describe('a condition in CQL2 Text', () => {
  it('has one canonical text for each meaning, which is a condition itself', () => {
    for (const [expected, ...texts] of MEANINGS)
      for (const text of [expected, ...texts]) assert.equal(canonical(text), expected, text);
    assert.equal(new Set(MEANINGS.map(([text]) => text)).size, MEANINGS.length);
  });

  it('is refused with the position of the mistake and what to write', () => {
    for (const [text, position, detail] of MISTAKES) {
      const error = mistakeOf(text);
      assert.match(error.message, detail, text);
      assert.equal(error.position, position, `${text}: ${error.message}`);
    }
  });

  it('names the fields of the rows that it is about; some of them are 1 or 0', () => {
    const number = { kind: 'number', sqlType: 'Float64' } as const;
    const fieldsOf = (name: string, values: typeof number & { readonly isBit?: true }) =>
      [name, { name, values, sql: name, comparableSql: `of_${name}` }] as const;
    const fields = new Map([
      fieldsOf('max_gust_kt', number),
      fieldsOf('freezing', { ...number, isBit: true }),
    ]);
    const condition = parseCondition('freezing = 1 AND max_gust_kt >= 40', fields);
    const sql = conditionSql(condition, new SqlParameters('filter'), fields);
    assert.equal(sql, '(of_freezing = {filter0:Float64}) AND (of_max_gust_kt >= {filter1:Float64})');
    for (const [text, detail] of [
      ['freezing = TRUE', 'expected 1 or 0 for freezing; found TRUE'],
      ['freezing = 2', 'expected 1 or 0 for freezing; found 2'],
      ['wgst_kt > 40', 'there is no field wgst_kt: /docs/days lists them'],
      ['max_gus_kt > 40', 'there is no field max_gus_kt: the nearest is max_gust_kt'],
    ] as const)
      assert.throws(
        () => parseCondition(text, fields),
        (error) => error instanceof ConditionError && error.message.endsWith(detail),
        text,
      );
  });

  it('takes exactly 1,000 characters, 20 comparisons and a depth of 20', () => {
    parseCondition(`wx = '${'😀'.repeat(1000 - 7)}'`);
    parseCondition(Array(20).fill('auto=TRUE').join(' OR '));
    parseCondition(`${'('.repeat(20)}auto=TRUE${')'.repeat(20)}`);
  });

  it('fails with a position within the text or becomes SQL without any text of the client', () => {
    const random = seededRandom(22);
    const conditions = new RandomConditions(random);
    const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
    const PIECES = [
      ...['--', '/*', '*/', '{filter0:String}', '\ud800', ...'\'"\\%_;`\0\né😀(), '],
      ...['AND', 'or', 'NOT', 'NULL', '1e', '.5', '-', '<>', 'temp_c', "'x'", 'system.tables'],
    ];
    let refused = 0;
    const count = repetitions({ usual: 1500, long: 100_000 });
    for (let n = 0; n < count; n += 1) {
      let text = conditions.next();
      for (let changes = Math.floor(random() * 4); changes > 0; changes -= 1) {
        const at = Math.floor(random() * (text.length + 1));
        text = text.slice(0, at) + pick(PIECES) + text.slice(at + Math.floor(random() * 3));
      }
      try {
        const condition = parseCondition(text);
        const parameters = new SqlParameters('filter');
        const sql = conditionSql(condition, parameters);
        // What is left when names, constants and placeholders of the code are removed are operators and parentheses.
        const texts = new Set([...sql.matchAll(/'([^']*)'/g)].map(([, each]) => each));
        for (const each of texts) assert.match(each as string, /^(\w+| |Nullable\(String\))$/, sql);
        assert.match(sql.replace(/\{filter\d+:[\w()]+\}/g, ''), /^[\w\s().,<>=*+/'-]*$/, sql);
        assert.doesNotMatch(sql, /--|\/\*|system/);
        assert.equal(
          canonicalCondition(parseCondition(canonicalCondition(condition))),
          canonicalCondition(condition),
        );
      } catch (error) {
        assert.ok(error instanceof ConditionError, `${JSON.stringify(text)}: ${error}`);
        assert.ok(error.position >= 1 && error.position <= [...text].length + 1, error.message);
        refused += 1;
      }
    }
    assert.ok(refused > count / 10 && refused < (count * 9) / 10, `${refused} of ${count} were refused`);
  });
});
