import assert from 'node:assert/strict';
import type { Hour } from '../../../../api/client/client.d.ts';
import { parseCondition } from '../../../../clickhouse/conditions/parse-condition.ts';
import { hourlyGrid, hourlyStatement } from '../../../../clickhouse/hourly.ts';
import type { Decoded } from '../../../../clickhouse/model/fields.ts';
import type { Report } from '../../../../clickhouse/model/report.ts';
import { OUTPUT_FORMATS } from '../../../../clickhouse/observations/stream/output-formats.ts';
import { REPORT_TABLES } from '../../../../clickhouse/statements/current-reports.ts';
import { type Page, startApi, useApi } from '../../../support/api/api.ts';
import { insert, put, report, retract, useArchive } from '../../../support/archive/archive.ts';
import { readFlat } from '../../../support/archive/flat-records.ts';
import { judge, valueOfField } from '../../../support/conditions/judge.ts';
import { randomDecoded } from '../../../support/conditions/random-decoded.ts';
import { seededRandom } from '../../../support/random.ts';

const HOURLY = '/v1/history/hourly';
const FROM = Date.parse('2024-01-01T00:00:00Z');
const HOURS = 72;
const STATIONS = ['XAAA', 'XBBB', 'XCCC'];
const DEFAULT_FIELDS =
  'temp_c,dewp_c,rh_pct,wdir,wspd_kt,wgst_kt,visib_m,ceiling_ft,altim_hpa,slp_hpa,wx,fltcat,pcp1h_in';
const DERIVED = ['ceiling_ft', 'rh_pct', 'rvr_min_m'];

type Row = Pick<Hour, 'station' | 'hour' | 'observedAt' | 'n'>;
type Query = Readonly<Record<string, string>>;

describe('the hourly series (D46)', () => {
  const archive = useArchive();
  /** The current reports that count, in order. */
  let reports: readonly Report[];

  const iso = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000', '');
  const base: Query = {
    stations: 'XCCC,XAAA,XBBB',
    from: '2024-01-01T00:00:00Z',
    to: iso(FROM / 1000 + HOURS * 3600),
  };
  const target = (query: Query, extension = '') =>
    `${HOURLY}${extension}?${new URLSearchParams({ ...base, ...query })}`;
  const get = (query: Query, extension = '', options = {}) => api.get(target(query, extension), options);
  const rowsOf = (query: Query) => api.rows<Row>(target(query));

  /** By the definition, from the reports. */
  function expectedRows(
    fields: string,
    keep: (first: Report | undefined) => boolean = () => true,
  ): readonly object[] {
    const rows: object[] = [];
    for (let hour = FROM / 1000; hour < FROM / 1000 + HOURS * 3600; hour += 3600)
      for (const station of STATIONS) {
        const ofHour = reports.filter(
          (each) =>
            each.station === station && each.observedAt >= hour - 600 && each.observedAt < hour + 3000,
        );
        const first = ofHour.find(({ type }) => type === 'METAR');
        if (!keep(first)) continue;
        const values = fields.split(',').map((name) => {
          if (first === undefined || !first.clean) return [name, undefined];
          const value = DERIVED.includes(name)
            ? valueOfField(name, first)
            : first.decoded[name as keyof Decoded];
          const isAbsent = value === Number.POSITIVE_INFINITY || (Array.isArray(value) && value.length === 0);
          const isTemperature = name === 'temp_c' || name === 'dewp_c';
          return [name, isAbsent ? undefined : isTemperature && value !== undefined ? Number(value) : value];
        });
        rows.push({
          ...{ station, hour: iso(hour) },
          ...(first && { observedAt: iso(first.observedAt) }),
          n: ofHour.length,
          ...Object.fromEntries(values.filter(([, value]) => value !== undefined)),
        });
      }
    return rows;
  }

  before(async () => {
    const random = seededRandom(46);
    const old: Report[] = [];
    const current: Report[] = [];
    const voided: Report[] = [];
    for (const station of STATIONS)
      for (let minute = -30; minute < HOURS * 60 + 30; minute += 10 + Math.floor(random() * 60)) {
        const at = new Date(FROM + minute * 60_000).toISOString();
        const decoded = randomDecoded(random);
        const { nil: _, ...given } = decoded;
        const made = report({
          ...{ at, station, raw: `${station} ${minute}` },
          type: random() < 0.3 ? 'SPECI' : 'METAR',
          clean: random() >= 0.1,
          decoded: random() < 0.1 ? { nil: true, cavok: false } : (given as Decoded),
        });
        if (random() < 0.1) voided.push(made);
        else current.push(made);
        if (random() < 0.2) old.push({ ...made, decoded: randomDecoded(random) });
      }
    for (const table of REPORT_TABLES) await archive.client.command({ query: `SYSTEM STOP MERGES ${table}` });
    await insert(archive.client, ...[...old, ...voided].map((each) => put(each, 100)));
    await insert(archive.client, ...current.map((each) => put(each, 200)));
    await insert(archive.client, ...voided.map((each) => retract(each, 200)));
    reports = current
      .filter(({ decoded }) => decoded.nil !== true)
      .sort((one, other) => one.observedAt - other.observedAt || (one.type < other.type ? -1 : 1));
  });
  const api = useApi(() => startApi(archive.client));

  it('has a row for each station and nominal hour, with the first METAR and the number of reports', async () => {
    const { data, meta } = await api.json<Page<Row>>(target({}));
    const { status } = meta.coverage as { status: string };
    assert.deepEqual(data, expectedRows(DEFAULT_FIELDS));
    assert.deepEqual([meta.hasMore, status], [false, 'partial']);
    assert.ok(data.some(({ n }) => n === 0) && data.some(({ n }) => n > 1));
    assert.ok(
      data.some(({ observedAt, n }) => n > 0 && observedAt === undefined),
      'an hour with SPECIs alone',
    );
  });

  it('counts the report of 11:51 as that of 12:00, also at the edges of the range', async () => {
    const range = { from: '2024-01-01T05:30:00Z', to: '2024-01-01T07:30:00Z' };
    const data = await rowsOf({ ...range, stations: 'XAAA' });
    assert.deepEqual(
      data.map(({ hour }) => hour),
      ['2024-01-01T06:00:00Z', '2024-01-01T07:00:00Z'],
    );
    const rows = expectedRows(DEFAULT_FIELDS) as readonly Row[];
    assert.deepEqual(
      data,
      rows.filter(({ station, hour }) => station === 'XAAA' && data.some((row) => row.hour === hour)),
    );
  });

  it('is the same in pages of any size and in every format', async () => {
    const fields = 'clouds,temp_c,ceiling_ft,wx,cavok,fltcat,auto';
    const expected = expectedRows(fields);
    assert.deepEqual(await rowsOf({ fields, limit: '1' }), expected.slice(0, 1));
    assert.deepEqual(await api.walk(target({ fields, limit: '70' })), expected);
    const bytesOf = (format: string) => api.bytes(target({ fields }, `.${format}`));
    assert.deepEqual(await api.lines(target({ fields }, '.ndjson')), expected);
    const first = ['station', 'hour', 'observedAt', 'n'];
    const plain = (rows: readonly Readonly<Record<string, unknown>>[]) =>
      rows.map((row) => [...first, 'ceiling_ft', 'wx', 'fltcat'].map((name) => String(row[name] ?? '')));
    for (const rows of await readFlat(bytesOf)) {
      assert.deepEqual(Object.keys(rows[0] ?? {}), [...first, ...fields.split(',')]);
      assert.deepEqual(plain(rows), plain(expected as readonly Record<string, unknown>[]));
    }
  });

  it('of many stations and a long range is the same from either table', async () => {
    const stations = [...STATIONS, ...Array.from({ length: 17 }, (_, n) => `ZZ${n + 10}`)];
    const range = { stations, from: FROM / 1000, to: FROM / 1000 + 60 * 86_400 };
    const request = { ...range, fields: ['temp_c'], limit: 100_000 };
    const grid = hourlyGrid(range);
    const all = { firstRow: 0, endRow: grid.size };
    const direct = hourlyStatement(request, grid, all, { format: 'ndjson' }, 'station_observations');
    const query = {
      stations: stations.join(),
      to: new Date(range.to * 1000).toISOString(),
      fields: 'temp_c',
    };
    const [served, other] = await Promise.all([
      api.bytes(target(query, '.ndjson')),
      archive.client.select({ ...direct, settings: OUTPUT_FORMATS.ndjson.settings }),
    ]);
    assert.equal(served.toString().split('\n').length, grid.size + 1);
    assert.ok(other.equals(served));
  });

  it('leaves out the hours for whose first METAR a condition is not true', async () => {
    for (const filter of [
      'temp_c < 0',
      'NOT (temp_c < 0) OR wx IS NULL',
      "ceiling_ft < 2000 AND type = 'METAR'",
    ]) {
      const condition = parseCondition(filter);
      const isMet = (first: Report | undefined) => first !== undefined && judge(condition, first) === true;
      const expected = expectedRows('temp_c', isMet);
      const query = { filter, fields: 'temp_c' };
      assert.deepEqual(await api.walk(target({ ...query, limit: '13' })), expected, filter);
      assert.deepEqual(await api.lines(target(query, '.ndjson')), expected, filter);
    }
  });

  it('cuts a stream at its limit, and continues it with the cursor in another format', async () => {
    const first = await get({ limit: '100', fields: 'temp_c' }, '.ndjson');
    assert.equal(first.headers.get('X-Has-More'), 'true');
    assert.equal((await first.text()).trimEnd().split('\n').length, 100);
    const cursor = first.headers.get('X-Next-Cursor') ?? '';
    assert.deepEqual(await rowsOf({ fields: 'temp_c', cursor }), expectedRows('temp_c').slice(100));
    const years = { from: '2005-01-01T00:00:00Z', to: '2025-01-01T00:00:00Z' };
    const stations = Array.from({ length: 60 }, (_, n) => `XD${10 + n}`).join();
    assert.match(
      await api.refusal(target({ ...years, stations }, '.csv')),
      /limit must be given: the range holds [\d,]+ hours of all stations together, and one response at most 10,000,000\./,
    );
  });

  it('has each hour once in a range that several statements read', async () => {
    const years = { from: '2015-01-01T00:00:00Z', to: '2025-01-01T00:00:00Z', stations: 'XD10,XD11,XD12' };
    const lines = (await (await get(years, '.csv')).text()).trimEnd().split('\r\n');
    assert.deepEqual([lines.length, new Set(lines).size], Array(2).fill(1 + 3 * 3653 * 24));
  });
});
