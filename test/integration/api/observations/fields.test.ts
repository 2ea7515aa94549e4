import assert from 'node:assert/strict';
import type { Observation } from '../../../../api/client/client.d.ts';
import { DERIVED_FIELDS } from '../../../../clickhouse/model/derived-fields.ts';
import { DECODED_FIELDS } from '../../../../clickhouse/model/fields.ts';
import { SOURCE_FIELD } from '../../../../clickhouse/model/named-fields.ts';
import type { Report } from '../../../../clickhouse/model/report.ts';
import { OBSERVATIONS, startApiWithReports, useApi } from '../../../support/api/api.ts';
import { report } from '../../../support/archive/archive.ts';
import { readFlat } from '../../../support/archive/flat-records.ts';
import { valueOfField } from '../../../support/conditions/judge.ts';
import { randomDecoded } from '../../../support/conditions/random-decoded.ts';
import { seededRandom } from '../../../support/random.ts';

const KEYS = ['id', 'station', 'observedAt', 'type', 'parseStatus'];
const ALL = [...DECODED_FIELDS, ...DERIVED_FIELDS].map(({ name }) => name as string);
/** Fields that `decoded` has only if `fields` names them, or has without that only for some reports. */
const DERIVED = new Set<string>([
  ...[...DERIVED_FIELDS, SOURCE_FIELD].map(({ name }) => name),
  ...['visib_sm', 'altim_inhg'],
]);
const CHOICES = [
  ['temp_c'],
  ['ceiling_ft', 'temp_c', 'rh_pct', 'rvr_min_m'],
  ['clouds', 'rvr'],
  ['source', 'temp_c'],
  ['fltcat', 'ws', 'cavok', 'trend', 'sea', 'auto', 'visib_sm', 'convective'],
  ALL.toReversed(),
];

type Line = Pick<Observation, 'id' | 'parseStatus'> & {
  readonly decoded?: Readonly<Record<string, unknown>>;
};

describe('fields of observations (D44)', () => {
  let reports: readonly Report[];
  before(async () => {
    const random = seededRandom(44);
    reports = Array.from({ length: 200 }, (_, n) =>
      report({
        at: new Date(Date.UTC(2024, 0, 1, 0, n)).toISOString(),
        clean: n % 9 !== 0,
        decoded: randomDecoded(random),
      }),
    );
  });
  const api = useApi(() => startApiWithReports(reports));

  const target = (extension: string, more: Readonly<Record<string, string>>) =>
    `${OBSERVATIONS}${extension}?${new URLSearchParams({
      stations: 'XAAA',
      from: '2024-01-01T00:00:00Z',
      to: '2024-01-02T00:00:00Z',
      include: 'decoded',
      ...more,
    })}`;
  type More = Parameters<typeof target>[1];
  const get = (extension: string, more: More) => api.bytes(target(extension, more));
  const dataOf = (more: More) => api.rows<Line>(target('', more));

  /** The record with only these fields, made from the record with all fields and from the report. */
  function choose(line: Line, n: number, fields: readonly string[]): Line {
    if (line.decoded === undefined) return line;
    const values = fields.map((name) => {
      if (!DERIVED.has(name)) return [name, line.decoded?.[name]];
      const value = valueOfField(name, reports[n] as Report);
      if (value === Number.POSITIVE_INFINITY) return [name, undefined];
      return [name, typeof value === 'number' ? Number(value.toFixed(4)) : value];
    });
    return { ...line, decoded: Object.fromEntries(values.filter(([, value]) => value !== undefined)) };
  }

  it('are what decoded holds, in the order asked, in pages, lines and with a filter', async () => {
    const all = await dataOf({});
    for (const fields of CHOICES) {
      const expected = all.map((line, n) => JSON.stringify(choose(line, n, fields)));
      const chosen = { fields: fields.join() };
      const filtered = { ...chosen, filter: "type = 'METAR'" };
      for (const rows of [dataOf(chosen), dataOf(filtered), api.lines(target('.ndjson', chosen))])
        assert.deepEqual(
          (await rows).map((line) => JSON.stringify(line)),
          expected,
        );
    }
    const [first] = await dataOf({ fields: 'temp_c', include: 'raw,decoded' });
    assert.deepEqual(Object.keys(first ?? {}), [...KEYS, 'raw']);
  });

  it('are the columns of the other formats, in the order asked', async () => {
    for (const fields of CHOICES) {
      const all = await dataOf({ fields: fields.join() });
      const tables = await readFlat((format) => get(`.${format}`, { fields: fields.join() }));
      for (const [n, rows] of tables.entries()) {
        assert.deepEqual(Object.keys(rows[0] ?? {}), [...KEYS, ...fields]);
        assert.equal(rows.length, all.length);
        for (const [at, { decoded }] of all.entries())
          for (const name of fields.filter((each) => !['clouds', 'rvr'].includes(each))) {
            const value = decoded?.[name];
            const found = rows[at]?.[name] ?? '';
            if (typeof value === 'number' || name.endsWith('p_c')) {
              assert.equal(
                found === '' ? undefined : Math.fround(Number(found)),
                value === undefined ? undefined : Math.fround(Number(value)),
                `${n} ${name}`,
              );
            } else assert.equal(found, String(value ?? ''), `${n} ${name}`);
          }
      }
    }
  });

  it('are refused without decoded, or by a name that does not exist', async () => {
    const said = async (more: More) => api.refusal(target('', more));
    assert.match(await said({ fields: 'temp_c', include: 'raw' }), /write include=decoded/);
    assert.match(await said({ fields: 'temp_c,temp' }), /found "temp"/);
    assert.match(await said({ fields: 'type' }), /found "type" \(each record has it\)/);
    assert.match(await said({ fields: '' }), /an empty item/);
  });
});
