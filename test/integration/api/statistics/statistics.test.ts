import assert from 'node:assert/strict';
import { readQuery } from '../../../../api/contract/query.ts';
import { STATISTICS as ENDPOINT, questionOf } from '../../../../api/statistics/endpoint.ts';
import { CITATIONS } from '../../../../clickhouse/model/report.ts';
import { readStatistics, TooManyRowsError } from '../../../../clickhouse/statistics/read-statistics.ts';
import { startApi, useApi } from '../../../support/api/api.ts';
import { describeStations, insert, put, report, useArchive } from '../../../support/archive/archive.ts';
import { readFlat } from '../../../support/archive/flat-records.ts';

const STATISTICS = '/v1/history/statistics';
const DAY = 'from=2024-01-01T00:00:00Z&to=2024-01-02T00:00:00Z';
const QUERY = `stations=XAAA,XAAB&${DAY}&select=mean(temp_c),time_of_max(temp_c),warm:share(temp_c > 10)&by=hour,fltcat`;

const UTC = [{ from: 0, seconds: 0 }];

/** A thousand stations with two years each, from their first and last reports. */
const MANY_STATION_YEARS = `
  INSERT INTO station_observations (observedAt, station, type, fingerprint, version)
  SELECT toDateTime(arrayJoin(['2020-01-01', '2020-12-31', '2021-01-01', '2021-12-31']), 'UTC'),
    concat('X', leftPad(toString(number), 3, '0')), 'METAR', 1, 1
  FROM numbers(1000)`;

/** Six years with two categories an hour. */
const MANY_CATEGORIES = `
  INSERT INTO station_observations (observedAt, station, type, fingerprint, version, clean, counts, fltcat)
  SELECT toDateTime('2010-01-01', 'UTC') + 1800 * number, 'Y000', 'METAR', 1, 1, 1, 'hour', if(number % 2 = 0, 'VFR', 'IFR')
  FROM numbers(105000)`;

describe('GET /v1/history/statistics', () => {
  const archive = useArchive();
  before(async () => {
    const temperatures = ['9', '12.5', '-0.6', '11'];
    await insert(
      archive.client,
      ...temperatures.map((temp_c, hour) =>
        put(
          report({
            station: hour < 3 ? 'XAAA' : 'XAAB',
            at: `2024-01-01T0${hour}:00:00Z`,
            decoded: { temp_c, cavok: false, ...(hour > 0 && { fltcat: hour > 1 ? 'VFR' : 'IFR' }) },
          }),
        ),
      ),
    );
  });
  const api = useApi(() => startApi(archive.client));

  const get = (query: string) => api.json(`${STATISTICS}?${query}`);

  it('has rows by station and groups, and says how they were asked for', async () => {
    const { data, meta } = await get(QUERY);
    const row = (hour: number, mean_temp_c: number, warm: number, fltcat?: string) => ({
      ...{ station: hour < 3 ? 'XAAA' : 'XAAB', hour, ...(fltcat && { fltcat }), n: 1, expected: 1 },
      ...{ mean_temp_c, time_of_max_temp_c: `2024-01-01T0${hour}:00:00Z`, warm },
    });
    assert.deepEqual(data, [
      row(0, 9, 0),
      row(1, 12.5, 1, 'IFR'),
      row(2, -0.6, 0, 'VFR'),
      row(3, 11, 1, 'VFR'),
    ]);
    const { rateLimit, coverage, sources, ...asked } = meta;
    assert.deepEqual(sources, [{ source: 'iem', citation: CITATIONS.iem }]);
    assert.ok(rateLimit);
    assert.equal((coverage as { status: string }).status, 'partial');
    assert.deepEqual(asked, { sample: 'auto', tz: 'utc' });
  });

  it('holds nothing of times outside the archive (D19)', async () => {
    const times = [
      ['2004-12-30', '2004-12-31'],
      ['2106-01-01', '2107-01-01'],
      ['9999-12-30', '9999-12-31'],
    ];
    const questions = ['', '&by=date,hour&tz=America/New_York', '&by=fltcat&sample=all'];
    const empty = [[{ station: 'XAAA', n: 0, expected: 0 }], [], []];
    for (const [from, to] of times)
      for (const [n, question] of questions.entries()) {
        for (const range of [`from=${from}T00:00:00Z&to=${to}T00:00:00Z`, `from=${from}&to=${to}`]) {
          const query = `stations=XAAA&${range}&select=count${question}`;
          const { data, meta } = await get(query);
          assert.deepEqual(data, empty[n], query);
          assert.equal((meta.coverage as { status: string }).status, 'none');
          const csv = await (await api.get(`${STATISTICS}.csv?${query}`)).text();
          assert.equal(csv.trimEnd().split('\n').length, 1 + data.length, csv);
        }
      }
  });

  it('repeats what a preset stands for, which gives the same rows', async () => {
    const { data, meta } = await get(`stations=XAAA&${DAY}&preset=flight-category`);
    const { select, by, sample } = meta.expanded as Record<string, string>;
    assert.deepEqual(
      (await get(`stations=XAAA&${DAY}&select=${select}&by=${by}&sample=${sample}`)).data,
      data,
    );
    const days = 'stations=XAAA&from=2024-01-01&to=2024-01-02';
    const extremes = await get(`${days}&preset=extremes`);
    const expanded = new URLSearchParams(extremes.meta.expanded as Record<string, string>);
    assert.deepEqual((await get(`${days}&${expanded}`)).data, extremes.data);
    assert.equal(expanded.get('of'), 'days');
  });

  it('is the same in every format, with null for what is absent', async () => {
    const { data } = await get(QUERY);
    const columns = 'station hour fltcat n expected mean_temp_c time_of_max_temp_c warm'.split(' ');
    const flat = data.map((row) =>
      Object.fromEntries(columns.map((name) => [name, String(row[name] ?? '')])),
    );
    const bytesOf = async (format: string) => {
      const response = await api.get(`${STATISTICS}.${format}?${QUERY}`);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('x-coverage-status'), 'partial');
      return Buffer.from(await response.arrayBuffer());
    };
    assert.deepEqual(await api.lines(`${STATISTICS}.ndjson?${QUERY}`), data);
    for (const rows of await readFlat(bytesOf)) assert.deepEqual(rows, flat);
  });

  it('has columns with any names that a client chooses', async () => {
    const names = 'value1 value0 group0 group1 column0 local results observedAt type'.split(' ');
    const fields = ['mean(temp_c)', 'max(temp_c)', 'min(temp_c)', 'sum(temp_c)', 'count'];
    const list = names.map((name, n) => `${name}:${fields[n % fields.length]}`).join();
    const query = QUERY.replace(/select=[^&]*/, `select=${encodeURIComponent(list)}`);
    const { data } = await get(query);
    const columns = ['station', 'hour', 'fltcat', 'n', 'expected', ...names];
    const expected = data.map((row) => columns.map((name) => String(row[name] ?? '')).join());
    const csv = await (await api.get(`${STATISTICS}.csv?${query}`)).text();
    assert.deepEqual(csv.replaceAll('"', '').trim().split('\r\n'), [columns.join(), ...expected]);
  });

  it('takes the zone that a source states before that of the position', async () => {
    const position = { latitude: 40.64, longitude: -73.78 };
    const stated = { source: 'iem', station: 'XAAA', position, timezone: 'Asia/Kathmandu' };
    await describeStations(archive.client, [stated, { source: 'awc', station: 'XAAB', position }]);
    const { data } = await get(`stations=XAAA,XAAB&${DAY}&select=count&by=hour,wind_sector(8)&tz=local`);
    // 00:00, 01:00 and 02:00 in UTC are 5:45, 6:45 and 7:45; and 03:00 is 22:00 of the day before.
    assert.deepEqual(
      data.map(({ station, hour }) => `${station} ${hour}`),
      ['XAAA 5', 'XAAA 6', 'XAAA 7', 'XAAB 22'],
    );
  });

  it('refuses more rows than an answer may have, before it asks and while it does', async () => {
    const years = 'from=2005-01-01T00:00:00Z&to=2026-01-01T00:00:00Z';
    const long = await api.refusal(`${STATISTICS}?stations=XAAA&${years}&select=count&by=date,hour`);
    assert.match(long, / makes about 184,080 rows, and one answer has at most 100,000/);
    // Groups of the calendar are known before, those of reports are not.
    const question = questionOf(readQuery(ENDPOINT, QUERY).values);
    const clock = { offsets: UTC, stations: question.stations };
    const ask = (maxRows: number) =>
      readStatistics(archive.client, question, [clock], { format: 'parquet', threads: 1, maxRows });
    assert.ok((await ask(4)).length > 0);
    await assert.rejects(ask(3), TooManyRowsError);
    // Of a calendar, groups without reports are rows too.
    const hours = { ...question, groups: [{ kind: 'calendar', unit: 'hour' }] } as const;
    const read = (maxRows: number) =>
      readStatistics(archive.client, hours, [clock], { format: 'csv', threads: 1, maxRows });
    assert.equal((await read(48)).toString().trimEnd().split('\r\n').length, 1 + 48);
    await assert.rejects(read(47), TooManyRowsError);
  });

  it('refuses more groups than the engine keeps for one question', async () => {
    await archive.client.command({ query: MANY_CATEGORIES });
    const range = 'from=2010-01-01T00:00:00Z&to=2016-01-01T00:00:00Z&sample=all';
    const refused = await api.refusal(
      `${STATISTICS}?stations=Y000&${range}&select=count&by=date,hour,fltcat`,
    );
    assert.match(refused, / makes more than 100,000 rows, and one answer has at most/);
  });

  it('refuses more years of reports than one request may ask for', async () => {
    await archive.client.command({ query: MANY_STATION_YEARS });
    const stations = Array.from({ length: 1000 }, (_, n) => `X${String(n).padStart(3, '0')}`).join();
    const target = (select: string, to: string) =>
      `${STATISTICS}?stations=${stations}&from=2020-01-01T00:00:00Z&to=${to}-01-01T00:00:00Z&select=${select}`;
    assert.match(
      await api.refusal(target('count', '2022')),
      / have 1,9\d\d years of reports in the range, and one request may ask for 1,000/,
    );
    const fields = 'temp_c dewp_c wspd_kt visib_m slp_hpa altim_hpa wgst_kt rh_pct'.split(' ');
    const heavy = target(fields.map((field) => `p95(${field})`).join(), '2021');
    assert.match(await api.refusal(heavy), /one request may ask for 500 station-years/);
    await api.bytes(target('count', '2021'));
  });
});
