import assert from 'node:assert/strict';
import { MEDIA_TYPES } from '../../../../api/contract/endpoint.ts';
import { CITATIONS } from '../../../../clickhouse/model/report.ts';
import { type AnyRow as Row, startApi, useApi } from '../../../support/api/api.ts';
import { describeStations, insert, put, report, useArchive } from '../../../support/archive/archive.ts';
import { readFlat } from '../../../support/archive/flat-records.ts';

const HOUR = 3_600_000;
/** By station, an hourly temperature that rises by 1 °C a day, and what single hours say. */
const STATIONS = {
  XNYC: { first: '2024-03-01', days: 40, zone: 'America/New_York' },
  XKTM: { first: '2024-03-01', days: 40, zone: 'Asia/Kathmandu' },
  XUNK: { first: '2024-03-05', days: 3, zone: undefined },
} as const;

function reportsOf([station, { first, days }]: [string, (typeof STATIONS)[keyof typeof STATIONS]]) {
  return Array.from({ length: days * 24 }, (_, hour) => {
    const time = Date.parse(first) + hour * HOUR - 9 * 60_000;
    const day = Math.floor(hour / 24);
    return report({
      station,
      at: new Date(time).toISOString(),
      decoded: {
        cavok: false,
        temp_c: `${day - 5}`,
        wspd_kt: 12,
        ...(hour % 240 === 20 && { wx: 'FZRA', wgst_kt: 41 }),
        ...(hour % 240 === 44 && { wgst_kt: 33 }),
      },
    });
  });
}

describe('records of days, months and normals (D72, D73)', () => {
  const archive = useArchive();
  before(async () => {
    await describeStations(
      archive.client,
      Object.entries(STATIONS).flatMap(([station, { zone }]) =>
        zone === undefined ? [] : [{ source: 'iem', station, timezone: zone }],
      ),
    );
    await insert(
      archive.client,
      ...Object.entries(STATIONS)
        .flatMap(reportsOf)
        .map((each) => put(each)),
    );
  });
  let reads = 0;
  const api = useApi(() =>
    startApi({
      ...archive.client,
      select: (select, signal) => {
        if (/^-- (Records|The values of groups) of days/.test(select.query)) reads += 1;
        return archive.client.select(select, signal);
      },
      stream: (select, signal) => {
        if (/^-- The values of groups of days/.test(select.query)) reads += 1;
        return archive.client.stream(select, signal);
      },
    }),
  );
  const ALL = 'stations=XNYC,XKTM,XUNK';
  const DAYS = `${ALL}&from=2024-03-01&to=2024-03-11`;
  const path = (query: string, endpoint = 'daily') => `/v1/history/${endpoint}?${query}`;
  const ask = (query: string, endpoint?: string) => api.json(path(query, endpoint));
  const rowsOf = (query: string, endpoint?: string) => api.rows(path(query, endpoint));
  const walk = (query: string, endpoint?: string) => api.walk(path(query, endpoint));
  const filterOf = (condition: string) => `filter=${encodeURIComponent(condition)}`;

  it('leave unknown only what an unreadable report alone names (D78)', async () => {
    const dry = { cavok: false, temp_c: '10', station_type: 'AO2' } as const;
    const reports = Array.from({ length: 72 }, (_, hour) => {
      const at = new Date(Date.parse('2024-03-01') + hour * HOUR).toISOString();
      const text = hour === 30 ? `XUNR ${at} 24010KT ??? -RA BR RMK AO2 P0010` : `XUNR ${at} ${hour}`;
      return report({ station: 'XUNR', at, raw: text, clean: hour !== 30, decoded: dry });
    });
    await insert(archive.client, ...reports.map((each) => put(each)));
    const data = await rowsOf(
      'stations=XUNR&from=2024-03-01&to=2024-03-04&fields=rain,mist,snow,precip_in,mean_temp_c',
    );
    const whole = { station: 'XUNR', expected: 24, mean_temp_c: 10, snow: 0, n: 24 };
    assert.deepEqual(data, [
      { ...whole, date: '2024-03-01', rain: 0, mist: 0, precip_in: 0 },
      { ...whole, date: '2024-03-02' },
      { ...whole, date: '2024-03-03', rain: 0, mist: 0, precip_in: 0 },
    ]);
  });

  it('have a record for each station and day, also without reports, in standard time', async () => {
    const { data, meta } = await ask(`${DAYS}&fields=max_temp_c,freezing`);
    assert.deepEqual(
      data.map(({ station }) => station),
      ['XKTM', 'XNYC', 'XUNK'].flatMap((station) => Array(10).fill(station)),
    );
    const of = (station: string) => data.filter((row) => row.station === station);
    // The first day of reports begins at 23:51 of 29 February: 18:51 in New York, 5:36 in Kathmandu.
    const whole = { n: 24, expected: 24, max_temp_c: -4, freezing: 1 };
    assert.deepEqual(
      [of('XNYC')[0], of('XKTM')[1]],
      [
        { station: 'XNYC', date: '2024-03-01', ...whole },
        { station: 'XKTM', date: '2024-03-02', ...whole },
      ],
    );
    assert.deepEqual(
      of('XUNK').map(({ date, n, max_temp_c }) => [date, n, max_temp_c]),
      [
        ...['01', '02', '03'].map((day) => [`2024-03-${day}`, 0, undefined]),
        // Until 23:51 of the day before, and from that time on.
        ['2024-03-04', 1, undefined],
        ['2024-03-05', 24, -4],
        ['2024-03-06', 24, -3],
        // More than six hours without a report follow.
        ['2024-03-07', 23, undefined],
        ...['08', '09', '10'].map((day) => [`2024-03-${day}`, 0, undefined]),
      ],
    );
    const { rateLimit, coverage, sources, ...paging } = meta;
    assert.ok(rateLimit && coverage);
    assert.deepEqual(sources, [{ source: 'iem', citation: CITATIONS.iem }]);
    assert.deepEqual(paging, { hasMore: false, tz: { zone: 'standard', utc: ['XUNK'] } });
  });

  it('end with the present day', async () => {
    const [day] = await rowsOf('stations=XUNK&from=2024-03-01&to=2999-01-01&tz=utc&order=desc&limit=1');
    const hours = new Date().getUTCHours() + 1;
    assert.equal(day?.date, new Date().toISOString().slice(0, 10));
    assert.ok([hours, hours - 1].includes(Number(day?.expected)), `${day?.expected}`);
  });

  it('are those of any page size, and newest first within each station with order=desc', async () => {
    const data = await rowsOf(DAYS);
    for (const limit of [7, 10])
      assert.deepEqual(await walk(`${DAYS}&limit=${limit}`), data, `limit=${limit}`);
    const descending = Object.keys(STATIONS)
      .toSorted()
      .flatMap((station) => data.filter((row) => row.station === station).toReversed());
    assert.deepEqual(await walk(`${DAYS}&order=desc&limit=9`), descending);
  });

  it('are found by conditions on their fields; a day without a gust is below any', async () => {
    const data = await rowsOf(`${DAYS}&tz=utc`);
    for (const [condition, isMet] of [
      ['freezing = 1 AND max_gust_kt >= 40', (row) => row.freezing === 1 && Number(row.max_gust_kt) >= 40],
      ['max_gust_kt < 35', (row) => row.max_wspd_kt !== undefined && Number(row.max_gust_kt ?? 0) < 35],
      ['NOT (max_temp_c < 0 OR freezing = 1)', (row) => Number(row.max_temp_c) >= 0 && row.freezing === 0],
      ['max_temp_c IS NULL', (row) => row.max_temp_c === undefined],
      ['n > 0 AND expected = 24', (row) => Number(row.n) > 0 && row.expected === 24],
      [
        'max_temp_c IN (-1, 1) OR min_temp_c BETWEEN 2 AND 3',
        (row) => [-1, 1].includes(Number(row.max_temp_c)) || [2, 3].includes(Number(row.min_temp_c)),
      ],
    ] as const satisfies readonly (readonly [string, (row: Row) => boolean])[]) {
      const expected = data.filter(isMet);
      assert.ok(expected.length > 0 && expected.length < data.length, condition);
      assert.deepEqual(await walk(`${DAYS}&tz=utc&${filterOf(condition)}&limit=5`), expected, condition);
    }
  });

  for (const [endpoint, query] of [
    ['daily', `${DAYS}&fields=max_temp_c,time_of_max_gust,freezing,mean_temp_c`],
    ['monthly', `${ALL}&from=2024-02-01&to=2024-05-01`],
    ['normals', `${ALL}&from=2024-01-01&to=2025-01-01`],
  ] as const)
    it(`are the same in every format, with null for what is absent: ${endpoint}`, async () => {
      const data = await rowsOf(query, endpoint);
      const bytesOf = async (format: string) => {
        const response = await api.get(`/v1/history/${endpoint}.${format}?${query}`);
        assert.equal(response.status, 200);
        assert.equal(response.headers.get('x-has-more'), 'false');
        assert.equal(response.headers.get('x-stations-in-utc'), 'XUNK');
        return Buffer.from(await response.arrayBuffer());
      };
      assert.deepEqual(await api.lines(path(query, `${endpoint}.ndjson`)), data);
      // One reader has times of dates, the other one milliseconds.
      const dateOf = (text: unknown) =>
        text === ''
          ? ''
          : new Date(/^\d+$/.test(`${text}`) ? Number(text) : `${text}`).toISOString().slice(0, 10);
      const withDates = (rows: readonly Row[]) =>
        rows.map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([name, text]) => [name, /date$/.test(name) ? dateOf(text) : text]),
          ),
        );
      const [csv = [], ...others] = await readFlat(bytesOf);
      const flat = data.map((row) =>
        Object.fromEntries(Object.keys(csv[0] ?? {}).map((name) => [name, String(row[name] ?? '')])),
      );
      assert.deepEqual(csv, flat);
      for (const rows of others) assert.deepEqual(withDates(rows), flat);
      const head = await api.get(`/v1/history/${endpoint}.csv?${query}`, { method: 'HEAD' });
      assert.equal(head.headers.get('content-type'), `${MEDIA_TYPES.csv}; charset=utf-8; header=present`);
    });

  it('are streamed up to a limit, and continue from its cursor', async () => {
    const gusty = `${DAYS}&tz=utc&${filterOf('max_gust_kt > 30')}&fields=max_gust_kt`;
    const year = `${ALL}&from=2024-01-01&to=2025-01-01&fields=max_temp_c`;
    for (const [endpoint, query] of [
      ['daily', `${DAYS}&fields=max_temp_c`],
      ['daily', gusty],
      ['monthly', year],
      ['normals', year],
      ['normals', `${year}&order=desc`],
    ] as const) {
      const rows: Row[] = [];
      for (let cursor = ''; ; ) {
        const response = await api.get(path(`${query}&limit=11${cursor}`, `${endpoint}.ndjson`));
        const part = (await response.text()).trimEnd().split('\n');
        assert.ok(part.length <= 11);
        rows.push(...part.map((line) => JSON.parse(line)));
        if (response.headers.get('x-has-more') === 'false') break;
        cursor = `&cursor=${response.headers.get('x-next-cursor')}`;
      }
      assert.deepEqual(rows, await rowsOf(query, endpoint));
    }
  });

  it('have the limits of the plan, and say how many they are (D33, D85)', async () => {
    const years = `${Array.from({ length: 300 }, (_, n) => `Y${String(n).padStart(3, '0')}`)}&from=2005-01-01&to=2025-01-01`;
    for (const [plan, query, detail] of [
      [
        'starter',
        `stations=${years}`,
        /^limit must be given: .* at most 1,000,000 records, and these are 2,191,500/,
      ],
      ['sandbox', `${DAYS}&limit=10001`, /not for bulk export/],
    ] as const)
      assert.match(await api.refusal(path(query, 'daily.csv'), { key: await api.createKey(plan) }), detail);
  });

  for (const [title, range, once] of [
    ['stay in memory', 'from=2024-03-02&to=2024-03-09', 1],
    ['are read again while a day is not over', 'from=2024-03-02&to=2999-01-01', 2],
  ] as const)
    for (const [rows, query] of [
      ['pages', 'daily?limit=2'],
      ['statistics', 'statistics?of=days&select=max(max_temp_c)'],
    ])
      it(`${title}: ${rows}`, async () => {
        const target = `/v1/history/${query}&stations=XUNK&tz=utc&${range}`;
        const headers = { 'if-none-match': (await api.get(target)).headers.get('etag') ?? '' };
        // A merge of parts that the engine makes meanwhile is a change.
        const repeated: number[] = [];
        for (let n = 0; n < 3; n += 1) {
          const before = reads;
          assert.equal((await api.get(target, { headers })).status, 304);
          repeated.push(reads - before);
        }
        assert.equal(Math.min(...repeated), once - 1);
      });

  it('refuse what they do not have, and say what to write', async () => {
    const range = 'from=2024-03-01&to=2024-03-02';
    const noField = 'filter has a mistake at character 1: there is no field';
    for (const [endpoint, query, detail] of [
      ['daily', 'from=2024-03-01T00:00:00Z&to=2024-03-02', 'from must be a date, as in 2024-03-01'],
      ['daily', 'from=2024-03-02&to=2024-03-02', 'from must be earlier than to'],
      ['daily', `${range}&tz=Asia/Kathmandu`, 'tz must be standard (standard time of each station, UTC '],
      ['daily', `${range}&fields=temp_c`, 'fields must be names of fields'],
      ['daily', `${range}&filter=temp_c > 1`, `${noField} temp_c`],
      ['daily', `${range}&type=metar`, 'type is unknown'],
      ['monthly', `${range}&filter=rain = 1`, `${noField} rain: the nearest is rain_days`],
      ['normals', 'from=2024-03-02&to=2025-01-01', 'from must be the first day of a month, as in 2024-03-01'],
    ] as const) {
      const said = (await api.refusal(path(`${ALL}&${query}`, endpoint))).split('\n');
      assert.ok(
        said.some((text) => text.startsWith(detail)),
        `${said}`,
      );
    }
  });

  it('of months fold days, and of normals months', async () => {
    const march = `${ALL}&from=2024-03-01&to=2024-04-01`;
    const [days, months, normals] = await Promise.all([
      rowsOf(`${march}&fields=max_temp_c,freezing`),
      rowsOf(march, 'monthly'),
      rowsOf(march, 'normals'),
    ]);
    for (const [n, station] of ['XKTM', 'XNYC', 'XUNK'].entries()) {
      const known = days.filter((day) => day.station === station && day.max_temp_c !== undefined);
      const { max_temp_c, freezing_days, ...month } = months[n] ?? {};
      assert.deepEqual(
        [month.station, month.year, month.month, month.days],
        [station, 2024, 3, known.length],
      );
      assert.equal(max_temp_c, Math.max(...known.map((day) => Number(day.max_temp_c))));
      assert.equal(freezing_days, known.filter(({ freezing }) => freezing === 1).length);
      const ofMeanYear = normals.filter((row) => row.station === station);
      assert.deepEqual(
        ofMeanYear.map((row) => row.month),
        [3, undefined],
      );
      assert.equal(ofMeanYear[0]?.freezing_days, station === 'XNYC' ? freezing_days : undefined);
    }
    const frosty = await rowsOf(
      `${ALL}&from=2024-01-01&to=2025-01-01&${filterOf('frost_days >= 3 AND days > 20')}`,
      'monthly',
    );
    assert.deepEqual(
      frosty.map(({ station, month }) => `${station} ${month}`),
      ['XKTM 3', 'XNYC 3'],
    );
  });

  it('are counted and averaged by statistics of=days (D74)', async () => {
    const select =
      'mean(max_temp_c),max(max_temp_c),time_of_max(max_temp_c),cold:count(max_temp_c < 0),calm:share(max_gust_kt < 30)';
    const spring = `${ALL}&from=2024-03-01&to=2024-05-01&tz=utc`;
    const days = await rowsOf(spring);
    const question = `of=days&by=year,month&select=${encodeURIComponent(select)}&${filterOf('max_temp_c < 30')}`;
    const data = await rowsOf(`${spring}&${question}`, 'statistics');
    assert.equal(data.length, 6);
    for (const row of data) {
      const month = `2024-${String(row.month).padStart(2, '0')}`;
      const all = days.filter(
        ({ station, date }) => station === row.station && String(date).startsWith(month),
      );
      const known = all.filter(({ max_temp_c }) => Number(max_temp_c) < 30);
      const values = known.map(({ max_temp_c }) => Number(max_temp_c));
      const greatest = Math.max(...values);
      assert.deepEqual(row, {
        ...{ station: row.station, year: 2024, month: row.month, n: known.length, expected: all.length },
        ...(known.length > 0 && {
          mean_max_temp_c: values.reduce((sum, value) => sum + value, 0) / values.length,
          max_max_temp_c: greatest,
          time_of_max_max_temp_c: known.find(({ max_temp_c }) => max_temp_c === greatest)?.date,
          cold: values.filter((value) => value < 0).length,
          calm: Number(
            (
              known.filter(({ max_gust_kt }) => Number(max_gust_kt ?? 0) < 30).length / known.length
            ).toPrecision(10),
          ),
        }),
      });
    }
  });
});
