import assert from 'node:assert/strict';
import type { ObservationsPage, StationYears } from '../../../../api/client/client.d.ts';
import { addDays, dayOf, firstProvisionalDay } from '../../../../clickhouse/model/day.ts';
import { versionAbove } from '../../../../clickhouse/model/report.ts';
import { ARCHIVE_TIMES } from '../../../../clickhouse/model/time-window.ts';
import { completeTables } from '../../../../clickhouse/observations/copy-rows.ts';
import { findGaps } from '../../../../loader/checks/gaps.ts';
import { iem } from '../../../../loader/sources/iem.ts';
import {
  OBSERVATIONS,
  startApi,
  startApiWithReports,
  type TestApi,
  useApi,
} from '../../../support/api/api.ts';
import {
  insert,
  isServerTime,
  put,
  report,
  retract,
  serverTimeOf,
  useArchive,
} from '../../../support/archive/archive.ts';
import { day, list, listAt, recordDone } from '../../../support/archive/ledger.ts';
import { loadWith } from '../../../support/loader/run-load.ts';
import { hourly } from '../../../support/sources/iem-reports.ts';
import { replayIem } from '../../../support/sources/replay-iem.ts';
import { withReplay } from '../../../support/sources/replay-server.ts';
import { withinOneDay } from '../../../support/within-one-day.ts';

const COVERAGE = '/v1/history/coverage';

type Range = { from: string; to: string };
type Body = { data: StationYears[]; meta: { coverage: { status: string; silentDays: number } } };

const getCoverage = (api: TestApi, query: string) => api.json<Body>(`${COVERAGE}?${query}`);

/** Days, which begin at midnight. */
const range = (from: string, to: string): Range => ({ from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z` });

/** The version of a row that replaces another one. */
const HIGHER = versionAbove(6) + 1000;

const REPORTS = [
  report({ at: '2023-12-31T23:30:00Z' }),
  report({ at: '2024-01-01T00:00:00Z' }),
  report({ at: '2024-01-01T00:30:00Z', source: 'ogimet' }),
  report({ at: '2024-06-01T12:00:00Z' }),
  report({ at: '2024-06-01T12:00:00Z', raw: 'XAAA 011200Z 18004KT CAVOK 13/07 Q1013', type: 'SPECI' }),
  report({ at: '2024-06-01T13:00:00Z', raw: 'XAAA 011300Z NIL', decoded: { cavok: false, nil: true } }),
  report({ station: 'XAAF', at: '2024-01-01T00:00:00Z' }),
];

describe('GET /v1/history/coverage (D34)', () => {
  const api = useApi(() => startApiWithReports(REPORTS));
  before(async () => {
    const { archive } = api;
    const moved = report({ at: '2024-01-01T00:00:00Z' });
    await insert(archive, retract(moved, HIGHER), put({ ...moved, type: 'SPECI' }, HIGHER));
    await insert(archive, put(report({ at: '2024-01-01T00:30:00Z', source: 'ogimet' }), HIGHER));
    await list(archive, { firstDay: day('2023-12-30') }, { source: 'ogimet' });
    await recordDone(archive, '2023-12-30', '2024-01-01');
    await recordDone(archive, '2024-01-01', '2024-01-11');
    await recordDone(archive, '2024-01-13', '2024-01-21', { source: 'ogimet' });
    await listAt(archive, '2024-03-01', {
      station: 'XAAB',
      firstDay: day('2023-06-01'),
      lastDay: day('2023-06-30'),
    });
    await recordDone(archive, '2023-06-01', '2023-07-01', { station: 'XAAB' });
    await list(archive, { station: 'XAAC' });
    await recordDone(archive, '2024-02-01', '2024-02-03', { station: '*' });
  });

  const get = (query: string) => getCoverage(api, query);
  const january = 'from=2024-01-01T00:00:00Z&to=2024-02-01T00:00:00Z';

  it('has the period of record, years and gaps of a station', async () => {
    const { data, meta } = await get('stations=XAAA&from=2023-01-01T00:00:00Z&to=2024-02-01T00:00:00Z');
    const at = '2023-12-31T23:30:00Z';
    assert.deepEqual(data, [
      {
        ...{ station: 'XAAA', status: 'partial', yearsDone: 1, yearsAll: 2, silentDays: 18 },
        periodOfRecord: { firstDay: '2023-12-30' },
        years: [
          {
            ...{ year: 2023, status: 'complete', daysDue: 2, daysDone: 2, reports: 1 },
            ...{ firstReport: at, lastReport: at, sources: ['iem'] },
          },
          {
            ...{ year: 2024, status: 'partial', daysDue: 31, daysDone: 18, reports: 2 },
            ...{ firstReport: '2024-01-01T00:00:00Z', lastReport: '2024-01-01T00:30:00Z' },
            sources: ['iem', 'ogimet'],
          },
        ],
        gaps: [range('2024-01-11', '2024-01-13'), range('2024-01-21', '2024-02-01')],
        notDue: [range('2023-01-01', '2023-12-30')],
        silent: [
          range('2023-12-30', '2023-12-31'),
          range('2024-01-02', '2024-01-11'),
          range('2024-01-13', '2024-01-21'),
        ],
      },
    ]);
    assert.deepEqual(meta.coverage, { status: 'partial', silentDays: 18 });
    assert.deepEqual(Object.keys(meta), ['coverage', 'rateLimit']);
  });

  it('counts each report once, whatever its versions, and no NIL', async () => {
    const { data } = await get('stations=XAAA&from=2024-01-01T00:00:00Z&to=2025-01-01T00:00:00Z');
    const [year] = data[0]?.years ?? [];
    assert.deepEqual([year?.reports, year?.lastReport], [4, '2024-06-01T12:00:00Z']);
  });

  it('counts reports to the minute, and days as a whole', async () => {
    const { data } = await get('stations=XAAA&from=2024-01-01T00:30:00Z&to=2024-01-12T00:00:01Z');
    const at = '2024-01-01T00:30:00Z';
    assert.deepEqual(data[0]?.years, [
      {
        ...{ year: 2024, status: 'partial', daysDue: 12, daysDone: 10, reports: 1 },
        ...{ firstReport: at, lastReport: at, sources: ['iem', 'ogimet'] },
      },
    ]);
    assert.deepEqual(data[0]?.gaps, [range('2024-01-11', '2024-01-13')]);
  });

  it('names the sources that have reports in the requested part of a year', async () => {
    for (const [from, to, sources] of [
      ['2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z', ['iem', 'ogimet']],
      ['2024-01-02T00:00:00Z', '2024-01-20T00:00:00Z', []],
      ['2024-06-01T00:00:00Z', '2024-06-02T00:00:00Z', ['iem']],
      ['2024-06-01T13:00:00Z', '2024-06-02T00:00:00Z', []],
      ['2024-01-02T00:00:00Z', '2025-01-01T00:00:00Z', ['iem']],
    ] as const) {
      const { data } = await get(`stations=XAAA&from=${from}&to=${to}`);
      assert.deepEqual(data[0]?.years[0]?.sources, sources, `${from} ${to}`);
    }
  });

  it('has a station with a closed period as complete, and nothing due after it', async () => {
    const { data } = await get('stations=XAAB&from=2023-01-01T00:00:00Z&to=2024-02-01T00:00:00Z');
    assert.deepEqual(data[0], {
      ...{ station: 'XAAB', status: 'complete', yearsDone: 2, yearsAll: 2, silentDays: 30 },
      periodOfRecord: { firstDay: '2023-06-01', lastDay: '2023-06-30' },
      years: [
        { year: 2023, status: 'complete', daysDue: 30, daysDone: 30, sources: [] },
        { year: 2024, status: 'complete', daysDue: 0, daysDone: 0, sources: [] },
      ],
      gaps: [],
      notDue: [range('2023-01-01', '2023-06-01'), range('2023-07-01', '2024-02-01')],
      silent: [range('2023-06-01', '2023-07-01')],
    });
  });

  it('has every year of a loaded record done, on whichever day its list begins (D13, D14, D37)', async () => {
    for (const [code, tzname, firstDay, daysDue, silentDays] of [
      // Where the zone is unknown, the first local day may begin on the UTC day before.
      ['XAAX', undefined, '2015-06-14', 201, 1],
      ['XAAY', 'America/Vancouver', '2015-06-15', 200, 0],
    ] as const) {
      const periods = {
        [code]: { archive_begin: '2015-06-15', archive_end: null, ...(tzname && { tzname }) },
      };
      const load = `--source iem --stations ${code} --from 2005-01-01 --to 2016-01-01`;
      await withReplay(replayIem(hourly(code, '2015-06-15', 200), { periods }), ({ url }) =>
        loadWith(api.archive, iem(url), load),
      );
      const query = `stations=${code}&from=2005-01-01T00:00:00Z&to=2016-01-01T00:00:00Z`;
      const of = (await get(query)).data[0] as StationYears;
      const { daysDone } = of.years.at(-1) as StationYears['years'][number];
      assert.deepEqual(
        [of.status, of.yearsDone, of.silentDays, daysDone],
        ['complete', 11, silentDays, daysDue],
      );
      assert.deepEqual([of.gaps, of.notDue], [[], [range('2005-01-01', firstDay)]]);
      const scope = { stations: [code], firstDay: day('2005-01-01'), endDay: day('2016-01-01') };
      assert.deepEqual((await findGaps(api.archive, scope, new Date())).gaps, []);
    }
  });

  it('has no due days and no gaps for a code that no source lists (D13)', async () => {
    const { data, meta } = await get(`stations=XAAF,XZZZ&${january}`);
    const at = '2024-01-01T00:00:00Z';
    const unlisted = (station: string, status: string, reports: object, sources: readonly string[]) => ({
      ...{ station, status, yearsDone: 0, yearsAll: 1, silentDays: 0 },
      years: [{ year: 2024, status, daysDue: 0, daysDone: 0, ...reports, sources }],
      ...{ gaps: [], notDue: [range('2024-01-01', '2024-02-01')], silent: [] },
    });
    assert.deepEqual(data, [
      unlisted('XAAF', 'partial', { reports: 1, firstReport: at, lastReport: at }, ['iem']),
      unlisted('XZZZ', 'none', {}, []),
    ]);
    assert.deepEqual(meta.coverage, { status: 'partial', silentDays: 0 });
  });

  it('has years of the archive only, whatever the range', async () => {
    await withinOneDay(async (today) => {
      const { data } = await get('stations=XAAA&from=0000-01-01T00:00:00Z&to=9999-01-01T00:00:00Z');
      const years = data[0]?.years.map(({ year }) => year) ?? [];
      assert.equal(data[0]?.yearsAll, 9999);
      assert.deepEqual([years[0], years.at(-1)], [2005, Number(today.slice(0, 4))]);
    });
    const before = await get('stations=XAAA&from=1999-01-01T00:00:00Z&to=2001-01-01T00:00:00Z');
    assert.deepEqual(before.data[0]?.years, []);
    assert.equal(before.meta.coverage.status, 'none');
  });

  it('has the numbers of meta.coverage for the same request', async () => {
    for (const times of [
      'from=2023-05-05T05:00:00Z&to=2024-01-05T05:00:00Z',
      'from=2005-01-01T00:00:00Z&to=2030-01-01T00:00:00Z',
    ]) {
      const query = `stations=XAAB,XAAA,XAAF,XZZZ,XAAC&${times}`;
      const page = await api.json<ObservationsPage>(`${OBSERVATIONS}?${query}&limit=1`);
      const { data, meta } = await get(query);
      const { stations, ...total } = page.meta.coverage;
      assert.deepEqual(
        data.map(({ years, gaps, notDue, silent, periodOfRecord: _, ...numbers }) => numbers),
        stations,
      );
      assert.deepEqual(meta.coverage, total);
      const file = await api.get(`${OBSERVATIONS}.csv?${query}`);
      assert.deepEqual(
        ['status', 'silent-days'].map((name) => file.headers.get(`x-coverage-${name}`)),
        [total.status, String(total.silentDays)],
      );
      for (const { years, yearsDone, silent, silentDays } of data) {
        assert.equal(years.filter((year) => year.status === 'complete').length, yearsDone);
        const days = silent.map(({ from, to }) => (Date.parse(to) - Date.parse(from)) / 86_400_000);
        assert.equal(
          silentDays,
          days.reduce((sum, each) => sum + each, 0),
        );
      }
    }
  });
});

const CODES = Array.from({ length: 1000 }, (_, n) => `X${n.toString(36).toUpperCase().padStart(3, '0')}`);
const YEARS = 10;

describe('coverage of a thousand stations (D18, D34)', () => {
  const archive = useArchive();
  before(async () => {
    const { client } = archive;
    const stationYears = `(SELECT arrayJoin({codes:Array(String)}) AS station, arrayJoin(range(2005, ${2005 + YEARS})) AS year)`;
    const run = (query: string) => client.command({ query, params: { codes: CODES } });
    await run(
      `INSERT INTO stations (source, station, firstDay) SELECT 'iem', arrayJoin({codes:Array(String)}), toDate('2005-01-01')`,
    );
    await run(`INSERT INTO slices (source, station, firstDay, doneDay, endDay, reports, inserted)
      SELECT 'iem', station, makeDate(year, 1, 1), makeDate(year, 10, 1), makeDate(year, 10, 1), 1, 1 FROM ${stationYears}`);
    await run(`INSERT INTO observations (observedAt, station, type, fingerprint, version, source, text, clean, decoder)
      SELECT toDateTime(makeDate(year, month, 1), 'UTC'), station, 'METAR', 1, 1, 'iem', '', 1, 1
      FROM ${stationYears} ARRAY JOIN if(station = 'X00A' AND year = 2005, [6, 7, 12], [6, 12]) AS month`);
    await completeTables(client, ARCHIVE_TIMES);
  });
  const api = useApi(() => startApi(archive.client));

  it('has all years and gaps, without the counts of reports', async () => {
    const body = await getCoverage(api, `stations=${CODES}&to=${2005 + YEARS}-01-01T00:00:00Z`);
    const { data } = body;
    assert.deepEqual(
      data.map(({ station }) => station),
      CODES,
    );
    for (const { years, gaps } of data) assert.deepEqual([years.length, gaps.length], [YEARS, YEARS]);
    assert.deepEqual(data[999]?.years[0], {
      ...{ year: 2005, status: 'partial', daysDue: 365, daysDone: 273 },
      ...{ firstReport: '2005-06-01T00:00:00Z', lastReport: '2005-12-01T00:00:00Z', sources: ['iem'] },
    });
    const { length } = JSON.stringify(body);
    assert.ok(length < 3_500_000, `${length} bytes`);
  });

  it('reads whether there are reports between the first and the last report of a year', async () => {
    const { data } = await getCoverage(
      api,
      `stations=${CODES}&from=2005-06-02T00:00:00Z&to=2005-11-30T12:00:00Z`,
    );
    const year = { year: 2005, daysDue: 182, daysDone: 121 };
    for (const { station, status, years } of data) {
      const expected = station === 'X00A' ? 'partial' : 'none';
      const sources = expected === 'partial' ? ['iem'] : [];
      assert.equal(status, expected, station);
      assert.deepEqual(years, [{ ...year, status: expected, sources }], station);
    }
  });

  it('counts the reports of the stations and years that are few enough', async () => {
    const some = `stations=${CODES.slice(0, 20)}&from=2010-01-01T00:00:00Z&to=2015-01-01T00:00:00Z`;
    const { data } = await getCoverage(api, some);
    for (const { years } of data) for (const { reports } of years) assert.equal(reports, 2);
  });
});

describe('coverage from an api whose clock is ten days ahead (D70)', () => {
  const archive = useArchive();

  it('calls no day due that is not over by the clock of ClickHouse', async () => {
    const { client } = archive;
    const time = new Date(Date.now() - 10 * 86_400_000);
    const young = firstProvisionalDay(time);
    const firstDay = day('2020-01-01');
    await list(client, { firstDay }, { station: 'XAAB', firstDay });
    await recordDone(client, firstDay, young, { station: 'XAAB' });
    const api = await startApi({
      ...client,
      select: async (...args) => (isServerTime(args[0]) ? serverTimeOf(time) : client.select(...args)),
    });
    try {
      const tomorrow = addDays(dayOf(Date.now() / 1000), 1);
      for (const query of ['stations=XAAA', `stations=XAAA&to=${tomorrow}T00:00:00Z`]) {
        const [station] = (await getCoverage(api, query)).data;
        assert.deepEqual(station?.gaps, [{ from: '2020-01-01T00:00:00Z', to: `${young}T00:00:00Z` }], query);
        assert.ok(station.notDue.every(({ to }) => to <= `${young}T00:00:00Z`));
      }
      const [done] = (await getCoverage(api, 'stations=XAAB&from=2020-01-01T00:00:00Z')).data;
      assert.deepEqual([done?.status, done?.gaps], ['complete', []]);
    } finally {
      await api.stop();
    }
  });
});
