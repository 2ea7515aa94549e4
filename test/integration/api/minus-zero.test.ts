import assert from 'node:assert/strict';
import { tableFromIPC } from 'apache-arrow';
import { OBSERVATIONS, startApiWithReports, useApi } from '../../support/api/api.ts';
import { report } from '../../support/archive/archive.ts';
import { askDuckdb, fileOf, readCsv } from '../../support/archive/flat-records.ts';

const RANGE = 'stations=XAAA&from=2024-01-01T00:00:00Z&to=2024-01-03T00:00:00Z';
/** By hour of the first day; the second day has 1 and -0. */
const TEMPERATURES = ['3', '0', '-0', '-0.1', '-0'] as const;

const REPORTS = [
  ...TEMPERATURES.map((temp_c, hour) =>
    report({
      at: `2024-01-01T0${hour}:00:00Z`,
      decoded: { temp_c, dewp_c: hour === 0 ? '-0' : '-2', wx: 'FZUP', cavok: false },
    }),
  ),
  report({ at: '2024-01-02T00:00:00Z', decoded: { temp_c: '1', cavok: false } }),
  report({ at: '2024-01-02T01:00:00Z', decoded: { temp_c: '-0', cavok: false } }),
];
/** A January in which every hour has -0. */
const JANUARY = Array.from({ length: 31 * 24 }, (_, hour) =>
  report({
    station: 'XBBB',
    at: new Date(Date.UTC(2024, 0, 1, hour)).toISOString(),
    decoded: { temp_c: '-0', cavok: false },
  }),
);
/** As numbers, in the order of time. */
const NUMBERS = [3, 0, -0, -0.1, -0, 1, -0];

describe('minus zero (D62)', () => {
  const api = useApi(() => startApiWithReports([...REPORTS, ...JANUARY]));

  const get = (path: string, query: string) => api.bytes(`${path}?${RANGE}&${query}`);
  const json = async (path: string, query: string) => JSON.parse((await get(path, query)).toString()).data;
  const ask = async (query: string) => (await json('/v1/history/statistics', query)) as object[];
  const encode = (condition: string) => encodeURIComponent(condition);

  it('is the text "-0" in records and in CSV, and -0 in formats with numbers', async () => {
    const texts = NUMBERS.map((number) => (Object.is(number, -0) ? '-0' : String(number)));
    for (const query of ['include=decoded', 'include=decoded&fields=temp_c,wx']) {
      const records = await json(OBSERVATIONS, query);
      assert.deepEqual(
        records.map(({ decoded }: { decoded: { temp_c: string } }) => decoded.temp_c),
        texts,
      );
      assert.deepEqual(
        readCsv(await get(`${OBSERVATIONS}.csv`, query)).map(({ temp_c }) => temp_c),
        texts,
      );
    }
    for (const path of [OBSERVATIONS, '/v1/history/hourly']) {
      const query = `${path === OBSERVATIONS ? 'include=decoded&' : ''}fields=temp_c&filter=${encode('temp_c < 99')}`;
      const column = tableFromIPC(await get(`${path}.arrow`, query)).getChild('temp_c');
      assert.deepEqual([...(column ?? [])], NUMBERS, path);
      const parquet = await fileOf(await get(`${path}.parquet`, query));
      const rows = await askDuckdb(`SELECT temp_c FROM read_parquet('${parquet}')`);
      assert.equal(rows.filter((row) => Object.is(row.temp_c, -0)).length, 3, path);
    }
    const hours = await json('/v1/history/hourly', `fields=temp_c&filter=${encode('temp_c < 99')}`);
    assert.deepEqual(
      hours.map(({ temp_c }: { temp_c: number }) => temp_c),
      NUMBERS,
    );
  });

  it('is below 0 and above -0.1 in conditions', async () => {
    for (const [condition, hours] of [
      ['temp_c < 0', [2, 3, 4]],
      ['temp_c <= -0.1', [3]],
      ['temp_c = 0', [1]],
      ['temp_c = -0', [1]],
      ['temp_c <> 0', [0, 2, 3, 4]],
      ['temp_c >= 0', [0, 1]],
      ['temp_c > -0.1 AND temp_c < 0', [2, 4]],
      ['temp_c BETWEEN -0.1 AND 0', [1, 2, 3, 4]],
      ['temp_c IN (0)', [1]],
      ['temp_c IN (0, -0.1)', [1, 3]],
      ['temp_c IS NULL', []],
    ] as const) {
      const records = await json(OBSERVATIONS, `filter=${encode(`${condition} AND dewp_c < 99`)}`);
      const found = records.map(({ observedAt }: { observedAt: string }) => Number(observedAt.slice(11, 13)));
      assert.deepEqual(found, hours, condition);
    }
  });

  it('is below 0 in classes, counts and extremes, and 0 in means, sums and percentiles', async () => {
    const select = [
      ...['mean', 'sum', 'min', 'max', 'median', 'p0', 'p25', 'stddev', 'time_of_min', 'time_of_max'].map(
        (each) => `${each}:${each}(temp_c)`,
      ),
      ...['share', 'count', 'days', 'hours'].map((each) => `${each}:${each}(temp_c < 0)`),
    ].join();
    const of = (filter: string, more = '') =>
      ask(`select=${encode(select)}&filter=${encode(filter)}${more}`) as Promise<Record<string, unknown>[]>;
    const [noFrost] = await of('temp_c > -0.1 AND dewp_c < 0');
    assert.deepEqual(noFrost, {
      ...{ station: 'XAAA', n: 4, expected: 48, mean: 0.75, sum: 3, min: -0, max: 3 },
      ...{ median: 0, p0: 0, p25: 0 },
      ...{ stddev: 1.5, time_of_min: '2024-01-01T02:00:00Z', time_of_max: '2024-01-01T00:00:00Z' },
      ...{ share: 0.5, count: 2, days: 1, hours: 2 },
    });
    const [zeros] = await of('temp_c < 1 AND temp_c > -0.1 AND dewp_c < 0');
    assert.deepEqual([zeros?.min, zeros?.max, zeros?.mean, zeros?.p95], [-0, 0, 0, undefined]);
    const [onlyMinus] = await of('temp_c < 0 AND temp_c > -0.1 AND dewp_c < 0');
    assert.deepEqual([onlyMinus?.max, onlyMinus?.p0, onlyMinus?.sum], [-0, 0, 0]);
    const classes = await ask('select=count&by=class(temp_c;-0.1;0;1)');
    assert.deepEqual(
      classes.map((row) => Object.values(row).slice(1, 3)),
      [
        [1, 4],
        [2, 1],
        [3, 2],
      ],
    );
    const csv = readCsv(await get('/v1/history/statistics.csv', 'select=min(temp_c)&by=date'));
    assert.deepEqual(
      csv.map(({ min_temp_c }) => min_temp_c),
      ['-0.1', '-0'],
    );
  });

  it('makes a frost day, and its hour has the humidity of 0 °C', async () => {
    assert.deepEqual(await ask(`select=frost:days(${encode('temp_c < 0')})`), [
      { station: 'XAAA', n: 7, expected: 48, frost: 2 },
    ]);
    const hours = await json('/v1/history/hourly', 'fields=rh_pct');
    assert.equal(hours[2].rh_pct, hours[1].rh_pct);
    const january = (endpoint: string, more = '') =>
      api.rows(`/v1/history/${endpoint}?stations=XBBB&from=2024-01-01&to=2024-02-01&tz=utc${more}`);
    const [normals] = await january('normals');
    const { frost_days, min_temp_c, max_temp_c, mean_min_temp_c, mean_temp_c } = normals ?? {};
    assert.deepEqual([frost_days, min_temp_c, max_temp_c, mean_min_temp_c, mean_temp_c], [31, -0, -0, 0, 0]);
    const frost = encode('min_temp_c < 0 AND min_temp_c > -0.1');
    const [day] = await january('daily', `&filter=${frost}&limit=1`);
    assert.deepEqual([day?.date, day?.min_temp_c, day?.mean_temp_c], ['2024-01-01', -0, 0]);
    const select = `max:max(min_temp_c),mean:mean(min_temp_c),frost:count(${frost})`;
    const [ofDays] = await january('statistics', `&of=days&select=${select}`);
    assert.deepEqual(ofDays, { station: 'XBBB', n: 31, expected: 31, max: -0, mean: 0, frost: 31 });
  });
});
