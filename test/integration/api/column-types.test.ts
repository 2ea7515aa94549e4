import assert from 'node:assert/strict';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { OBSERVATIONS, startApiWithReports, useApi } from '../../support/api/api.ts';
import { report } from '../../support/archive/archive.ts';
import { askDuckdb, fileOf } from '../../support/archive/flat-records.ts';
import { day, list, recordDone } from '../../support/archive/ledger.ts';
import { exportTo } from '../../support/snapshot/snapshot.ts';
import { newFolder } from '../../support/test-run.ts';

/** Wind and amount by hour. 0.01 as a Float32 is less than 0.01. */
const HOURS = [
  { wdir: 350, wspd_kt: 20, pcp1h_in: 0.01, altim_inhg: 29.92, altim_hpa: 1013.2 },
  { wdir: 10, wspd_kt: 20, pcp1h_in: 0, altim_inhg: 30.01, altim_hpa: 1016.3 },
  { wdir: 90, wspd_kt: 8, pcp1h_in: 0.1, altim_inhg: 28.87, altim_hpa: 977.7 },
] as const;

const REPORTS = HOURS.map((decoded, hour) =>
  report({
    at: `2024-01-01T0${hour}:00:00Z`,
    decoded: {
      ...decoded,
      ...{ temp_c: '-0.6', visib_sm: 0.0625, visib_m: 100, cor_number: 1, mint6_c: -0.6, cavok: false },
      clouds: [{ cover: 'OVC', base_ft: 200 }],
      rvr: [{ rwy: '04', min_ft: 1200 }],
    },
  }),
);

const RANGE = 'stations=XAAA&from=2024-01-01T00:00:00Z&to=2024-01-02T00:00:00Z';
const DAYS = 'stations=XAAA&from=2024-01-01&to=2024-02-01';
const FIELDS = 'rh_pct,wdir,wspd_kt,pcp1h_in,altim_inhg,altim_hpa,visib_sm,mint6_c,ceiling_ft,rvr_min_m';
const SELECT = [
  ...['reports:count', 'min(wspd_kt)', 'max(altim_inhg)', 'mean(temp_c)', 'sum(pcp1h_in)', 'p50(wspd_kt)'],
  ...['resultant(wdir)', 'resultant(wspd_kt)', 'resultant_n'],
  ...['count', 'days', 'hours', 'share'].map((each) => `low_${each}:${each}(visib_m < 800)`),
].join();

/** What each answer is asked for. */
const TARGETS = {
  'observations with all fields': [OBSERVATIONS, 'include=raw,decoded'],
  'observations with some fields': [OBSERVATIONS, `include=decoded&fields=${FIELDS}`],
  'hourly series': ['/v1/history/hourly', `fields=${FIELDS},clouds,rvr,cor_number`],
  statistics: [
    '/v1/history/statistics',
    `select=${encodeURIComponent(SELECT)}&by=year,month,hour,class(wspd_kt;10)`,
  ],
  days: ['/v1/history/daily', 'tz=utc'],
  months: ['/v1/history/monthly', 'tz=utc'],
  normals: ['/v1/history/normals', 'tz=utc'],
  'statistics of days': ['/v1/history/statistics', 'preset=extremes&tz=utc'],
} as const;

describe('types of columns (D65)', () => {
  const api = useApi(() => startApiWithReports(REPORTS));
  const snapshot = newFolder();

  const get = (path: string, query: string) =>
    api.bytes(`${path}?${query.includes('tz=utc') ? DAYS : RANGE}&${query}`);
  const parquet = async ([path, query]: readonly [string, string]) =>
    `read_parquet('${await fileOf(await get(`${path}.parquet`, query))}')`;

  /** As DuckDB reads a column; with times of another precision than microseconds, that of the file. */
  const typesOf = async (table: string) => {
    const columns = await askDuckdb(`DESCRIBE SELECT * FROM ${table}`);
    const times =
      await askDuckdb(`SELECT name, logical_type FROM ${table.replace('read_parquet', 'parquet_schema').replace(', hive_partitioning = false', '')}
      WHERE logical_type LIKE '%unit=%' AND logical_type NOT LIKE '%MICROS=MicroSeconds%'`);
    return [
      ...columns.map(({ column_name, column_type }) => [column_name, String(column_type)] as const),
      ...times.map(({ name, logical_type }) => [name, `time of another unit: ${logical_type}`] as const),
    ];
  };
  const assertSigned = (types: readonly (readonly [unknown, string])[]) => {
    assert.ok(types.length > 3);
    for (const [name, type] of types)
      assert.doesNotMatch(
        type,
        /UTINY|USMALL|UINT|UBIG|FLOAT|Uint|Float32|another unit|MILLISECOND/,
        `${name}`,
      );
  };

  for (const [name, target] of Object.entries(TARGETS))
    it(`are signed whole numbers and doubles in Parquet and Arrow: ${name}`, async () => {
      assertSigned(await typesOf(await parquet(target)));
      const table = tableFromIPC(await get(`${target[0]}.arrow`, target[1]));
      assertSigned(table.schema.fields.map((field) => [field.name, String(field.type)]));
    });

  it('are Int32 for whole numbers, Int64 for counts and Float64 for other numbers', async () => {
    const types = Object.fromEntries([
      ...(await typesOf(await parquet(TARGETS['hourly series']))),
      ...(await typesOf(await parquet(TARGETS.statistics))),
    ]);
    const expected = {
      ...{ wdir: 'INTEGER', ceiling_ft: 'INTEGER', rvr_min_m: 'INTEGER', cor_number: 'INTEGER' },
      ...{ rh_pct: 'DOUBLE', altim_hpa: 'DOUBLE', visib_sm: 'DOUBLE', mint6_c: 'DOUBLE' },
      clouds: 'STRUCT("cover" VARCHAR, base_ft INTEGER, "type" VARCHAR)[]',
      ...{ year: 'INTEGER', month: 'INTEGER', hour: 'INTEGER', class_wspd_kt: 'INTEGER' },
      ...{ n: 'BIGINT', expected: 'BIGINT', reports: 'BIGINT' },
      ...{ low_count: 'BIGINT', low_days: 'BIGINT', low_hours: 'BIGINT' },
      ...{ resultant_wdir: 'DOUBLE', resultant_wspd_kt: 'DOUBLE', resultant_n: 'BIGINT' },
      ...{ low_share: 'DOUBLE', min_wspd_kt: 'DOUBLE', mean_temp_c: 'DOUBLE' },
    };
    for (const [column, type] of Object.entries(expected))
      assert.equal(types[column]?.replaceAll('"', ''), type.replaceAll('"', ''), column);
  });

  it('subtract and compare in DuckDB as the printed numbers do', async () => {
    for (const target of [
      TARGETS['observations with all fields'],
      TARGETS['observations with some fields'],
    ]) {
      const [row] = await askDuckdb(`SELECT
        min(-wspd_kt) AS least, avg(-wspd_kt * sin(radians(wdir))) AS mean_u,
        count(*) FILTER (pcp1h_in >= 0.01)::INT AS wet, sum(pcp1h_in) AS amount,
        count(*) FILTER (altim_inhg IN (29.92, 30.01, 28.87) AND altim_hpa IN (1013.2, 1016.3, 977.7))::INT AS equal,
        count(*) FILTER (visib_sm = 0.0625 AND mint6_c = -0.6)::INT AS small
        FROM ${await parquet(target)}`);
      assert.ok(Math.abs(Number(row?.mean_u) + 8 / 3) < 1e-12, String(row?.mean_u));
      const { mean_u: _, ...rest } = row ?? {};
      assert.deepEqual(rest, { least: -20, wet: 2, amount: 0.11, equal: 3, small: 3 });
    }
    const rows = await askDuckdb(`SELECT n - expected AS missing, hour - 5 AS hours
      FROM ${await parquet(TARGETS.statistics)} WHERE n > 0 ORDER BY hour`);
    assert.deepEqual(
      rows.map(({ missing, hours }) => [Number(missing), hours]),
      [-5, -4, -3].map((hours) => [0, hours]),
    );
    const [day] = await askDuckdb(`SELECT n - expected AS missing FROM ${await parquet(TARGETS.days)}`);
    assert.equal(Number(day?.missing), -21);
  });

  it('are the same in each file of a snapshot', async () => {
    const path = join(snapshot, 'archive');
    await list(api.archive, { station: 'XAAA', firstDay: day('2020-01-01') });
    await recordDone(api.archive, '2024-01-01', '2024-01-02', {
      reports: 3,
      reportsByDay: [3],
      skipped: { none: 2 },
    });
    await exportTo(api.archive, path);
    for (const name of ['reports/*/*', 'slices', 'stations', 'station_descriptions', 'sightings'])
      assertSigned(await typesOf(`read_parquet('${path}/${name}.parquet', hive_partitioning = false)`));
    const [row] =
      await askDuckdb(`SELECT -max(wspd_kt) AS least, count(*) FILTER (pcp1h_in >= 0.01)::INT AS wet,
      max(altim_inhg) AS highest FROM '${path}/reports/*/*.parquet'`);
    assert.deepEqual(row, { least: -20, wet: 2, highest: 30.01 });
    const [slice] = await askDuckdb(`SELECT (inserted - reports)::INT AS less FROM '${path}/slices.parquet'`);
    assert.ok(Number(slice?.less) <= 0);
  });
});
