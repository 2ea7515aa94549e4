import assert from 'node:assert/strict';
import type { ObservationsPage } from '../../../../api/client/client.d.ts';
import type { Report } from '../../../../clickhouse/model/report.ts';
import { OBSERVATIONS, QUERY, startApiWithReports, useApi } from '../../../support/api/api.ts';
import { report } from '../../../support/archive/archive.ts';
import { type ObservationRecord, recordId } from '../../../support/archive/records.ts';

/** Three stations, three days: hourly METAR, some SPECI in the minute of a METAR, some corrections. */
function generateReports(): readonly Report[] {
  const reports: Report[] = [];
  for (let hour = 0; hour < 72; hour += 1)
    for (const station of ['XAAA', 'XAAB', 'XAAC']) {
      const at = new Date(Date.UTC(2024, 0, 30, hour)).toISOString();
      reports.push(report({ at, station, raw: `METAR ${station} ${hour} first` }));
      if (hour % 3 === 0)
        reports.push(report({ at, station, type: 'SPECI', raw: `SPECI ${station} ${hour} special` }));
      if (hour % 5 === 0) reports.push(report({ at, station, raw: `METAR ${station} ${hour} COR second` }));
    }
  return reports;
}

/** The ids in the order of D12: observedAt, station, METAR before SPECI, id. */
function sortedIds(all: readonly Report[]): readonly string[] {
  const sortKey = (one: Report) => `${one.observedAt} ${one.station} ${one.type} ${recordId(one)}`;
  return [...all].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)).map(recordId);
}

describe('pages of observations', () => {
  const all = generateReports();
  const api = useApi(() => startApiWithReports(all));

  const RANGE = 'from=2024-01-30T00:00:00Z&to=2024-02-02T00:00:00Z';
  const THREE_STATIONS = `stations=XAAC,XAAA,XAAB&${RANGE}`;

  const getPage = (query: string) => api.json<ObservationsPage>(`${OBSERVATIONS}?${query}`);

  const getAllIds = async (query: string) =>
    (await api.walk<ObservationRecord>(`${OBSERVATIONS}?${query}`)).map(({ id }) => id);

  it('have every record once, in order, for any page size (D12)', async () => {
    const expected = sortedIds(all);
    for (const limit of [29, expected.length - 1, expected.length])
      assert.deepEqual(await getAllIds(`${THREE_STATIONS}&limit=${limit}`), expected, `limit ${limit}`);
  });

  it('write each time as a whole minute in UTC (D1)', async () => {
    const { data } = await getPage(THREE_STATIONS);
    assert.ok(data.length > 0);
    for (const { observedAt } of data) assert.match(observedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/);
  });

  it('include from and exclude to', async () => {
    for (const [more, expected] of [
      ['', '2024-01-30T01:00:00Z'],
      ['.001', '2024-01-30T02:00:00Z'],
    ]) {
      const range = `from=2024-01-30T01:00:00${more}Z&to=2024-01-30T02:00:00${more}Z`;
      const { data } = await getPage(`stations=XAAA&${range}`);
      assert.deepEqual(
        data.map(({ observedAt }) => observedAt),
        [expected],
      );
    }
  });

  it('have the representations that include selects (D7, D10, D21)', async () => {
    const names = ['id', 'observedAt', 'parseStatus', 'station', 'type'];
    for (const [include, more, parseStatus] of [
      ['', ['raw'], 'raw_only'],
      ['&include=raw', ['raw'], 'raw_only'],
      ['&include=decoded', ['decoded'], 'parsed'],
      ['&include=decoded,raw', ['decoded', 'raw'], 'parsed'],
    ] as const) {
      const [first] = (await getPage(`${THREE_STATIONS}&limit=1${include}`)).data;
      assert.deepEqual(Object.keys(first ?? {}).sort(), [...names, ...more].sort(), include);
      assert.equal(first?.parseStatus, parseStatus);
    }
  });

  it('have the coverage of each distinct station in the order first requested (D16)', async () => {
    const { meta, data } = await getPage(
      `stations=XAAD,XAAA,XAAD&from=2023-12-31T00:00:00Z&to=2024-02-02T00:00:00Z&limit=1`,
    );
    assert.equal(data.length, 1);
    assert.deepEqual(meta.coverage, {
      status: 'partial',
      silentDays: 0,
      stations: [
        { station: 'XAAD', status: 'none', yearsDone: 0, yearsAll: 2, silentDays: 0 },
        { station: 'XAAA', status: 'partial', yearsDone: 0, yearsAll: 2, silentDays: 0 },
      ],
    });
  });

  it('are empty with coverage none where the archive has no report', async () => {
    for (const range of [
      'from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z',
      'from=2190-01-01T00:00:00Z&to=2191-01-01T00:00:00Z',
      'from=0000-01-01T00:00:00Z&to=0001-01-01T00:00:00Z',
      'from=9999-01-01T00:00:00Z&to=9999-12-31T23:59:59.9999Z',
    ]) {
      const { data, meta } = await getPage(`stations=XAAA&${range}`);
      assert.deepEqual(data, []);
      assert.deepEqual([meta.hasMore, meta.coverage.status], [false, 'none']);
    }
    assert.equal(
      (await getAllIds('stations=XAAA&from=0000-01-01T00:00:00Z&to=9999-12-31T23:59:59Z')).length,
      sortedIds(all.filter(({ station }) => station === 'XAAA')).length,
    );
  });

  it('have the plan and the numbers of the headers in meta.rateLimit (2.3 rule 2)', async () => {
    const key = await api.createKey('starter');
    const response = await api.get(`${OBSERVATIONS}?${QUERY}`, { key });
    const { meta } = (await response.json()) as ObservationsPage;
    assert.deepEqual(meta.rateLimit, { plan: 'starter', limitPerSecond: 10, remaining: 9 });
    assert.equal(response.headers.get('x-ratelimit-limit'), '10');
    assert.equal(response.headers.get('x-ratelimit-remaining'), '9');
  });

  it('link to the next page unless the link exceeds 2 kB (D31)', async () => {
    const first = await api.get(`${OBSERVATIONS}?${THREE_STATIONS}&limit=5`);
    const link = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const { meta } = (await first.json()) as ObservationsPage;
    const followed = await api.get(link);
    const direct = await getPage(`${THREE_STATIONS}&limit=5&cursor=${meta.nextCursor}`);
    assert.deepEqual(((await followed.json()) as ObservationsPage).data, direct.data);

    const last = await api.get(`${OBSERVATIONS}?${THREE_STATIONS}`);
    assert.equal(last.headers.get('link'), null);
    const many = Array.from({ length: 500 }, (_, n) => `X${n.toString(36).toUpperCase().padStart(3, '0')}`);
    const long = await api.get(`${OBSERVATIONS}?stations=XAAA,${many}&${RANGE}&limit=1`);
    assert.equal(((await long.json()) as ObservationsPage).meta.hasMore, true);
    assert.equal(long.headers.get('link'), null);
  });

  it('continue from a cursor with another limit, another key and the same filters written differently (D23)', async () => {
    const { meta } = await getPage(`${THREE_STATIONS}&limit=50`);
    const rewritten = `stations=XAAA,XAAB,XAAC,XAAA&from=2024-01-30T00:00:00.0z&to=2024-02-02T00:00:00-00:00&type=all`;
    const rest = await getPage(`${rewritten}&cursor=${meta.nextCursor}&limit=10000`);
    assert.deepEqual(
      rest.data.map(({ id }) => id),
      sortedIds(all).slice(50),
    );
  });
});
