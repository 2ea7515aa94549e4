import assert from 'node:assert/strict';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { type Coverage, readCoverage } from '../../../../clickhouse/coverage/coverage.ts';
import { recordObservedHours, type SliceRecord } from '../../../../clickhouse/coverage/ledger/ledger.ts';
import { CoverageStateCache } from '../../../../clickhouse/coverage/state-cache.ts';
import { readMissingDays } from '../../../../clickhouse/coverage/station-days.ts';
import type { Report } from '../../../../clickhouse/model/report.ts';
import { insert, NO_LIMIT, put, report, useArchive } from '../../../support/archive/archive.ts';
import { day, list, list as listIn, recordDone, type TestListing } from '../../../support/archive/ledger.ts';
import { readCoverageNow } from '../../../support/archive/records.ts';

/** The rules of days are in `rules.test.ts`, and day by day in `coverage-agreement.test.ts`: here is what is stored of them. */
describe('coverage of the archive', () => {
  const archive = useArchive();
  let client: Archive;
  let cache: CoverageStateCache;
  let clock = 0;
  before(async () => {
    client = archive.client;
    cache = new CoverageStateCache(client, () => clock);
  });
  beforeEach(async () => {
    for (const table of ['observations', 'slices', 'coverage', 'stations'])
      await client.command({ query: `TRUNCATE TABLE ${table}` });
  });

  /** With the cache of the api, a second after its last refresh, and without a cache: both must agree. */
  const read = async (from: string, to: string, stations = ['XAAA']): Promise<Coverage> => {
    const request = { stations, from: Date.parse(from) / 1000, to: Date.parse(to) / 1000 };
    clock += 1000;
    const { states } = await cache.current([...stations, '*'], NO_LIMIT);
    const coverage = await readCoverage(client, request, states);
    assert.deepEqual(coverage, await readCoverageNow(client, request));
    return coverage;
  };
  const status = async (from: string, to: string, stations?: string[]) =>
    (await read(from, to, stations)).status;
  const years = async (from: string, to: string) => {
    const { yearsDone, yearsAll, status } = (await read(from, to)).stations[0] ?? {};
    return [yearsDone, yearsAll, status];
  };
  const list = (...listings: TestListing[]) => listIn(client, ...listings);
  const record = async (
    firstDay: string,
    endDay: string,
    more: Partial<SliceRecord> = {},
    observed: readonly Report[] = [],
  ) => {
    await recordObservedHours(client, more.source ?? 'iem', observed);
    await recordDone(client, firstDay, endDay, more);
  };
  const year2024 = ['2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z'] as const;

  it('counts the calendar years that the range touches, and those whose requested days are all done (D14)', async () => {
    await list({});
    await record('2022-06-01', '2024-06-01');
    assert.deepEqual(await years('2022-01-01T00:00:00Z', '2025-01-01T00:00:00Z'), [1, 3, 'partial']);
    assert.deepEqual(await years('2022-06-01T00:00:00Z', '2024-06-01T00:00:00Z'), [3, 3, 'complete']);
    assert.deepEqual(await years('2022-05-31T23:59:00Z', '2024-06-01T00:00:00Z'), [2, 3, 'partial']);
    assert.deepEqual(await years('2022-06-01T00:00:00Z', '2024-06-01T00:00:01Z'), [2, 3, 'partial']);
    assert.deepEqual(await years('2023-12-31T23:59:00Z', '2024-01-01T00:00:00Z'), [1, 1, 'complete']);
    assert.deepEqual(await years('2023-12-31T23:59:00Z', '2024-01-01T00:00:01Z'), [2, 2, 'complete']);
  });

  it('counts years before 2005, which are never done (D14)', async () => {
    await list({ firstDay: day('2010-01-01') });
    await record('2005-01-01', '2006-01-01');
    assert.deepEqual(await years('2003-01-01T00:00:00Z', '2006-01-01T00:00:00Z'), [1, 3, 'partial']);
    assert.deepEqual(await years('1990-01-01T00:00:00Z', '2005-01-01T00:00:00Z'), [0, 15, 'none']);
    assert.equal((await years('0001-01-01T00:00:00Z', '9999-01-01T00:00:00Z'))[1], 9998);
  });

  it('is done outside the newest period of record (D13)', async () => {
    await list({ firstDay: day('2010-03-01'), lastDay: day('2012-02-29') });
    assert.equal(await status('2005-01-01T00:00:00Z', '2010-03-01T00:00:00Z'), 'complete');
    assert.equal(await status('2010-03-01T00:00:00Z', '2010-04-01T00:00:00Z'), 'none');
    assert.equal(await status('2012-03-01T00:00:00Z', '2020-01-01T00:00:00Z'), 'complete');
    await list({ firstDay: day('2006-01-01'), lastDay: day('2012-02-29') });
    await list({});
    assert.equal(
      await status('2005-01-01T00:00:00Z', '2010-03-01T00:00:00Z'),
      'partial',
      'a revised period counts, also when a report lists the station again',
    );
  });

  it('is partial where the archive holds reports, exact to the minute (D15)', async () => {
    const times = ['2023-01-01T00:00:00Z', '2024-01-01T12:30:00Z', '2024-12-31T23:59:00Z'];
    await insert(client, ...times.map((at) => put(report({ at }))));
    for (const [from, to, expected] of [
      ['2024-01-01T12:30:00Z', '2024-01-01T12:31:00Z', 'partial'],
      ['2024-01-01T12:31:00Z', '2024-01-01T13:00:00Z', 'none'],
      ['2024-01-01T12:00:00Z', '2024-01-01T12:30:00Z', 'none'],
      ['2024-01-01T11:10:00Z', '2024-01-01T13:10:00Z', 'partial'],
      ['2023-12-31T11:10:00Z', '2024-01-01T12:29:00Z', 'none'],
      ['2023-12-31T11:10:00Z', '2024-01-01T12:31:00Z', 'partial'],
      ['2024-12-31T23:59:00Z', '2025-06-01T00:00:00Z', 'partial'],
      ['2025-01-01T00:00:00Z', '2025-06-01T00:00:00Z', 'none'],
      ['2022-06-01T00:00:00Z', '2023-01-01T00:00:00Z', 'none'],
      ['2022-06-01T00:00:00Z', '2023-01-01T00:01:00Z', 'partial'],
    ] as const)
      assert.equal(await status(from, to), expected, `${from} to ${to}`);
  });

  it('counts days in UTC, whatever the time zone of the session', async () => {
    await list({});
    await record('2023-01-01', '2024-01-01');
    const inTokyo: Archive = {
      ...client,
      select: (select, signal) =>
        client.select({ ...select, settings: { session_timezone: 'Asia/Tokyo' } }, signal),
    };
    const [from, to] = ['2023-12-31T16:00:00Z', '2024-01-01T00:00:00Z'].map(
      (time) => Date.parse(time) / 1000,
    );
    const range = { from: from as number, to: to as number };
    assert.equal((await readCoverageNow(inTokyo, { stations: ['XAAA'], ...range })).status, 'complete');
  });

  it('has the order of the request, and is complete or none only when every station is (D15, D16)', async () => {
    await list({ station: 'XAAA' }, { station: 'XAAB' });
    await record('2024-01-01', '2025-01-01', { station: 'XAAA' });
    assert.deepEqual(
      (await read(...year2024, ['XAAC', 'XAAA', 'XAAB'])).stations.map(({ station }) => station),
      ['XAAC', 'XAAA', 'XAAB'],
    );
    assert.equal(await status(...year2024, ['XAAC', 'XAAB']), 'none');
    assert.equal(await status(...year2024, ['XAAA', 'XAAB']), 'partial');
    assert.equal(await status(...year2024, ['XAAA']), 'complete');
  });

  it('does not change when a slice is loaded twice (D17)', async () => {
    const one = report({ at: '2024-01-01T12:30:00Z' });
    const load = async () => {
      await insert(client, put(one));
      await list({});
      await record('2024-01-01', '2024-02-01', {}, [one]);
    };
    await load();
    const once = await read(...year2024);
    await load();
    assert.deepEqual(await read(...year2024), once);
    await client.command({ query: 'OPTIMIZE TABLE coverage FINAL' });
    assert.deepEqual(await read(...year2024), once);
  });

  it('gets the hours that the view missed, when a loader was killed, from the retry of the slice', async () => {
    const one = report({ at: '2024-01-01T12:30:00Z' });
    await insert(client, put(one));
    await client.command({ query: 'TRUNCATE TABLE coverage' });
    assert.equal(await status(...year2024), 'none', 'the view has no rows');
    await record('2024-01-01', '2024-02-01', {}, [one]);
    assert.equal(await status(...year2024), 'partial');
  });
});

/** `coverage-agreement.test.ts` has the days that single stations lack. */
describe('missing days of a source', () => {
  const archive = useArchive();

  it('of all stations depend only on slices of all stations, which count for each listed station', async () => {
    await list(archive.client, { station: 'XAAA' }, { station: 'XAAB', source: 'ncei' });
    await recordDone(archive.client, '2024-01-01', '2024-01-02', { station: '*' });
    await recordDone(archive.client, '2024-01-02', '2024-01-03');
    const missing = async (...stations: readonly string[]) => {
      const asked = { source: 'iem', stations, firstDay: day('2024-01-01'), endDay: day('2024-01-04') };
      const days = await readMissingDays(archive.client, asked);
      return [...days].map(([station, ranges]) => [station, ...ranges.map(({ firstDay }) => firstDay)]);
    };
    assert.deepEqual(await missing('XAAA', 'XAAB'), [
      ['XAAA', '2024-01-03'],
      ['XAAB', '2024-01-01'],
    ]);
    assert.deepEqual(await missing('*'), [['*', '2024-01-02']]);
  });
});
