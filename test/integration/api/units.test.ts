import assert from 'node:assert/strict';
import type { Decoded } from '../../../clickhouse/model/fields.ts';
import { type AnyRow as Row, startApi, useApi } from '../../support/api/api.ts';
import { insert, put, report, useArchive } from '../../support/archive/archive.ts';
import { readByDuckdb, readFlat } from '../../support/archive/flat-records.ts';

const FIRST: Partial<Decoded> = {
  ...{ temp_c: '12.3', wdir: 70, wspd_kt: 20, wgst_kt: 30, visib_m: 4828, visib_sm: 3 },
  ...{ altim_hpa: 1013.2, altim_inhg: 29.92, pcp1h_in: 0.01, snow_in: 1 },
};
const SECOND: Partial<Decoded> = { temp_c: '-0', wdir: 0, wspd_kt: 0, visib_m: 10_000, altim_hpa: 1013 };
const THIRD: Partial<Decoded> = { temp_c: '3', wdir_vrb: true, wspd_kt: 3 };

const WIND = { cavok: false, wspd_kt: 10, wdir: 90, pcp1h_in: 0.01 } as const;

/** Fields as requests name them, the columns, and their values in the first, the second and the third report. */
const VALUES: readonly (readonly [
  field: string,
  column: string,
  ...values: readonly (number | undefined)[],
])[] = [
  ['temp_f', 'temp_f', 54.14, 32, 37.4],
  ['temp_k', 'temp_k', 285.45, 273.15, 276.15],
  ['wspd_ms', 'wspd_ms', 10.2889, 0, 1.5433],
  ['wspd_kmh', 'wspd_kmh', 37.04, 0, 5.556],
  ['visib_km', 'visib_km', 4.828, 10, undefined],
  ['visib_sm', 'visib_sm', 3, 6.2137, undefined],
  ['altim_inhg', 'altim_inhg', 29.92, 29.9139, undefined],
  ['altim_mmhg', 'altim_mmhg', 759.9624, 759.8124, undefined],
  ['pcp1h_mm', 'pcp1h_mm', 0.254, undefined, undefined],
  ['snow_cm', 'snow_cm', 2.54, undefined, undefined],
  ['ceiling_m', 'ceiling_m', 274.32, undefined, undefined],
  ['crosswind(40)', 'crosswind_40', 10, 0, undefined],
  ['crosswind(040;gust)', 'crosswind_40_gust', 15, 0, undefined],
  ['headwind(70)', 'headwind_70', 20, 0, undefined],
  ['tailwind(70)', 'tailwind_70', -20, 0, undefined],
  ['tailwind_kmh(70)', 'tailwind_kmh_70', -37.04, 0, undefined],
];
const FIELDS = VALUES.map(([field]) => field).join();
const COLUMNS = VALUES.map(([, column]) => column);
const OF_REPORTS = [0, 1, 2].map((n) =>
  Object.fromEntries(
    VALUES.map(([, column, ...values]) => [column, values[n]] as const).filter(
      ([, value]) => value !== undefined,
    ),
  ),
);

describe('fields in other units, and along a runway (D82, D83)', () => {
  const archive = useArchive();
  before(async () => {
    const reports = [FIRST, SECOND, THIRD].map((decoded, n) =>
      report({
        at: `2024-01-01T0${n}:55:00Z`,
        decoded: {
          ...{ cavok: false, ...decoded },
          ...(n === 0 && { clouds: [{ cover: 'BKN', base_ft: 900 }] }),
        } as Decoded,
      }),
    );
    // A month of days for records of days, months and normals, from 3 to 27 °C, and a wind of 10 kt.
    const hours = Array.from({ length: 32 * 24 }, (_, hour) =>
      report({
        ...{ station: 'XBBB', at: new Date(Date.UTC(2024, 0, 1, hour, -5)).toISOString() },
        decoded: { ...WIND, temp_c: `${3 + (hour % 24 === 12 ? 24 : 0)}` },
      }),
    );
    await insert(archive.client, ...[...reports, ...hours].map((each) => put(each)));
  });
  const api = useApi(() => startApi(archive.client));
  const target = (path: string, query: Readonly<Record<string, string>>) =>
    `/v1/history/${path}?${new URLSearchParams({ stations: 'XAAA', from: '2024-01-01', to: '2024-01-02', ...query })}`;
  const rowsOf = (path: string, query: Readonly<Record<string, string>>) => api.rows(target(path, query));

  for (const [endpoint, query] of [
    ['observations', { include: 'decoded' }],
    ['hourly', { filter: 'temp_f > -459' }],
  ] as const)
    it(`are the same in every format of ${endpoint}`, async () => {
      const bytesOf = (format: string) =>
        api.bytes(target(`${endpoint}.${format}`, { ...query, fields: FIELDS }));
      const ofJson = (rows: readonly Row[]) =>
        rows
          .map((row) => (endpoint === 'hourly' ? row : (row.decoded as Row)))
          .map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => COLUMNS.includes(name))));
      assert.deepEqual(ofJson(await rowsOf(endpoint, { ...query, fields: FIELDS })), OF_REPORTS);
      const lines = await api.lines(target(`${endpoint}.ndjson`, { ...query, fields: FIELDS }));
      assert.deepEqual(ofJson(lines), OF_REPORTS);
      const { types } = await readByDuckdb(await bytesOf('parquet'), 'read_parquet');
      assert.deepEqual([...new Set(COLUMNS.map((column) => types[column]))], ['DOUBLE']);
      for (const rows of await readFlat(bytesOf))
        for (const [n, row] of rows.entries())
          for (const column of COLUMNS) {
            const value = row[column] ?? '';
            assert.equal(value === '' ? undefined : Number(value), OF_REPORTS[n]?.[column], column);
          }
    });

  it('are judged, sampled and grouped by statistics', async () => {
    for (const [query, expected] of [
      [
        { select: 'mean(temp_f),max(temp_f),min(temp_k),stddev(temp_f),median(wspd_kmh),sum(pcp1h_mm)' },
        {
          ...{ mean_temp_f: 41.18, max_temp_f: 54.14, min_temp_k: 273.15, stddev_temp_f: 11.5438814963 },
          ...{ median_wspd_kmh: 5.556, sum_pcp1h_mm: 0.254 },
        },
      ],
      [
        {
          select:
            'time_of_min(temp_f),max(crosswind(40;gust)),mean(tailwind(70)),x:share(crosswind(40) <= 10)',
        },
        {
          time_of_min_temp_f: '2024-01-01T01:55:00Z',
          max_crosswind_40_gust: 15,
          mean_tailwind_70: -10,
          x: 1,
        },
      ],
      [
        { select: 'resultant(wspd_kmh),v:resultant(wdir)', filter: 'wspd_kmh > 30' },
        { resultant_wspd_kmh: 37.04, v: 70 },
      ],
      // VRB03KT has less than 10 kt across any runway.
      [
        { select: 'x:count(wspd_kt <= 10 OR crosswind(40) <= 9)', filter: 'temp_f >= 32 OR temp_f < 32' },
        { x: 2 },
      ],
    ] as const) {
      const [{ station: _, n: __, expected: ___, ...row }] = (await rowsOf('statistics', query)) as [Row];
      for (const [name, value] of Object.entries(expected))
        if (typeof value === 'number')
          assert.ok(Math.abs((row[name] as number) - value) < 1e-9, `${name} ${row[name]}`);
        else assert.equal(row[name], value);
      assert.deepEqual(Object.keys(row), Object.keys(expected));
    }
    const groups = await rowsOf('statistics', {
      select: 'mean(temp_c)',
      by: 'class(crosswind(40;gust);10;15;20),class(temp_f;32;50)',
    });
    assert.deepEqual(
      groups.map((row) => [row.class_crosswind_40_gust, row.class_temp_f]),
      [
        [0, 0],
        [2, 2],
        [undefined, 1],
      ],
    );
  });

  it('are those of days, months and normals', async () => {
    const month = { stations: 'XBBB', to: '2024-02-01' };
    const fields = 'max_temp_f,precip_mm,mean_wspd_ms,mean_temp_k';
    for (const [path, query, expected] of [
      [
        'daily',
        { filter: 'max_temp_f >= 80.6 AND precip_mm > 5', limit: '1' },
        [80.6, 6.096, 5.1444, 277.15],
      ],
      ['daily', { filter: 'max_temp_f > 80.6' }, undefined],
      ['monthly', { filter: 'max_temp_f = 80.6 AND frost_days_days > 9' }, [80.6, 188.976, 5.1444, 277.15]],
      ['normals', { limit: '1' }, [80.6, 188.976, 5.1444, 277.15]],
    ] as const) {
      const [row] = await rowsOf(path, { ...month, ...query, tz: 'utc', fields });
      assert.deepEqual(row && fields.split(',').map((name) => row[name]), expected, path);
    }
    const select = 'max(max_temp_f),mean(precip_mm),time_of_max(max_temp_f),warm:count(max_temp_f >= 80.6)';
    const [row] = (await rowsOf('statistics', { ...month, of: 'days', tz: 'utc', select })) as [Row];
    const { max_max_temp_f, mean_precip_mm, time_of_max_max_temp_f, warm } = row;
    assert.deepEqual([max_max_temp_f, time_of_max_max_temp_f, warm], [80.6, '2024-01-01', 31]);
    assert.ok(Math.abs((mean_precip_mm as number) - 6.096) < 1e-9);
  });

  it('are refused where there are none, with what to write', async () => {
    for (const [path, query, detail] of [
      [
        'observations',
        { include: 'decoded', fields: 'temp_kt' },
        /"temp_kt" \(write temp_c or temp_f or temp_k\)/,
      ],
      [
        'hourly',
        { fields: 'crosswind(400),tmp' },
        /"crosswind\(400\)" \(write crosswind\(40\).*\), "tmp" \(\/docs\/decoded-fields lists them\)/,
      ],
      ['daily', { fields: 'max_temp_kt' }, /write max_temp_c or max_temp_f or max_temp_k/],
      [
        'daily',
        { filter: 'crosswind(40) > 3' },
        /no field crosswind\(40\): the wind along a runway is of reports/,
      ],
      ['statistics', { select: 'mean(crosswind())' }, /field crosswind\(\): write crosswind\(40\), headwind/],
      [
        'statistics',
        { select: 'count', by: 'class(crosswind(wdir);10)' },
        /crosswind\(wdir\)".* write crosswind\(40\)/,
      ],
      ['statistics', { select: 'mean(wdir_c)' }, /unknown field wdir_c/],
    ] as const)
      assert.match(await api.refusal(target(path, query)), detail);
  });
});
