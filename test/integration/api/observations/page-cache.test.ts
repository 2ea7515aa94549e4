import assert from 'node:assert/strict';
import fc from 'fast-check';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { PageCache } from '../../../../api/observations/page-cache.ts';
import type { Filters } from '../../../../api/observations/query-params.ts';
import {
  type ArchivePage,
  type ArchiveReader,
  archiveReader,
  toWantedPage,
} from '../../../../api/observations/read-archive.ts';
import type { RunQuery, RunSpareQuery } from '../../../../api/ops/query-limits.ts';
import { readCoverage } from '../../../../clickhouse/coverage/coverage.ts';
import { archiveChangesReader } from '../../../../clickhouse/coverage/state/changes.ts';
import { coverageStateReader } from '../../../../clickhouse/coverage/state/state.ts';
import { cacheCoverageState } from '../../../../clickhouse/coverage/state/state-cache.ts';
import type { Position, Report } from '../../../../clickhouse/model/report.ts';
import { pageReader } from '../../../../clickhouse/observations/page/page.ts';
import { insert, NO_LIMIT, put, report, retract } from '../../../support/archive/archive.ts';
import { list, recordDone } from '../../../support/archive/ledger.ts';
import { parseRecords } from '../../../support/archive/records.ts';
import { useArchive } from '../../../support/archive/use-archive.ts';

type Write =
  | {
      readonly kind: 'insert' | 'reclassify' | 'delete';
      readonly minutes: readonly number[];
      readonly station: number;
    }
  | { readonly kind: 'merge' };

type ObservationRecord = { readonly id: string; readonly observedAt: string };

const MB = 1024 * 1024;
const ORIGIN = { client: 'test', length: 100, disconnected: NO_LIMIT };
const DAY_MS = 86_400_000;
const START = Date.parse('2024-01-01T00:00:00Z');

const filtersOf = (more: Partial<Filters> = {}): Filters => ({
  stations: ['XAAA'],
  from: START,
  to: START + 366 * DAY_MS,
  type: 'all',
  include: ['raw'],
  ...more,
});

const recordsOf = ({ page }: ArchivePage): readonly ObservationRecord[] =>
  page.parts().flatMap((bytes) => parseRecords<ObservationRecord>({ bytes }));

describe('page cache over an archive', () => {
  const archive = useArchive();
  let statements: string[] = [];
  let readsAhead: Promise<unknown>[] = [];
  let clock = 0;

  /** The reader of the service, with a client that notes its statements and a clock that the test moves. */
  function startReader(cacheBytes = 64 * MB): { read: ArchiveReader; cache: PageCache } {
    const client = new Proxy(archive.client, {
      get: (target, name) =>
        name === 'query' || name === 'exec'
          ? (options: { readonly query: string }) => {
              statements.push(options.query);
              return target[name](options);
            }
          : Reflect.get(target, name),
    });
    const cache = new PageCache(cacheBytes);
    const states = cacheCoverageState(coverageStateReader(client), archiveChangesReader(client), () => clock);
    const runQuery: RunQuery = (work) => work(new AbortController().signal);
    const runSpareQuery: RunSpareQuery = (work) => void readsAhead.push(work(new AbortController().signal));
    return { read: archiveReader(client, states, { runQuery, runSpareQuery }, cache), cache };
  }

  async function finishReadsAhead(): Promise<void> {
    await Promise.all(readsAhead);
    readsAhead = [];
  }

  /** Statements that read records. */
  const pageStatements = () => statements.filter((query) => query.includes('parseStatus'));

  const empty = async () => {
    for (const table of ['observations', 'slices', 'coverage', 'stations'])
      await archive.client.command({ query: `TRUNCATE TABLE ${table}` });
  };

  describe('with a station of 110,000 reports', () => {
    before(async () => {
      await empty();
      await archive.client.command({
        query: `
          INSERT INTO observations (observedAt, station, type, fingerprint, version, source, raw, clean, decoder)
          SELECT toDateTime('2012-01-01 00:00:00', 'UTC') + number * 3600, 'XAAA', 'METAR', number, 1, 'demo',
            concat('METAR XAAA 010000Z 18004KT CAVOK 12/07 Q1013 ', toString(number)), 1, 1
          FROM numbers(110000)`,
      });
      await list(archive.client, { station: 'XAAA' });
    });
    beforeEach(() => {
      statements = [];
      clock += 60_000;
    });
    const filters = filtersOf({
      from: Date.parse('2012-01-01T00:00:00Z'),
      to: Date.parse('2026-01-01T00:00:00Z'),
    });

    it('reads a walk of 100 pages of 1,000 by at most 15 statements, and at most 25 with all others', async () => {
      const { read } = startReader();
      let after: Position | undefined;
      for (let n = 0; n < 100; n += 1) {
        // A quick client: changes are looked for every half second.
        clock += 20;
        const { page } = await read(toWantedPage(filters, 1000, after), ORIGIN);
        assert.equal(page.count, 1000);
        after = page.next;
        assert.equal(
          after?.observedAt,
          Date.parse('2012-01-01T00:00:00Z') / 1000 + ((n + 1) * 1000 - 1) * 3600,
        );
      }
      await finishReadsAhead();
      assert.ok(pageStatements().length <= 15, `${pageStatements().length} statements`);
      assert.ok(statements.length <= 25, `${statements.length} statements`);
    });

    it('lets only the first two pages of a walk wait for records where the client is not too quick', async () => {
      const { read, cache } = startReader();
      let after: Position | undefined;
      for (let n = 0; n < 50; n += 1) {
        after = (await read(toWantedPage(filters, 1000, after), ORIGIN)).page.next;
        await finishReadsAhead();
      }
      assert.deepEqual([cache.misses, cache.hits], [2, 48]);
      assert.equal(pageStatements().length, 2 + cache.readsAhead);
      assert.ok(cache.readsAhead <= 7, `${cache.readsAhead} blocks`);
    });

    it('reads nothing ahead of a first page, and of the end of a range', async () => {
      const { read, cache } = startReader();
      await read(toWantedPage(filters, 1000, undefined), ORIGIN);
      const short = { ...filters, to: filters.from + 2500 * 3_600_000 };
      const first = await read(toWantedPage(short, 1000, undefined), ORIGIN);
      const second = await read(toWantedPage(short, 1000, first.page.next), ORIGIN);
      assert.equal((await read(toWantedPage(short, 1000, second.page.next), ORIGIN)).page.next, undefined);
      await finishReadsAhead();
      assert.equal(cache.readsAhead, 0);
    });

    it('reads nothing ahead where the cache is too small for the walks under way', async () => {
      const { read, cache } = startReader(8 * MB);
      const readsAheadOf = async (walk: number) => {
        const before = cache.readsAhead;
        const of = { ...filters, from: filters.from + walk * DAY_MS };
        const first = await read(toWantedPage(of, 1000, undefined), ORIGIN);
        await read(toWantedPage(of, 1000, first.page.next), ORIGIN);
        await finishReadsAhead();
        return cache.readsAhead - before;
      };
      assert.equal(await readsAheadOf(0), 1);
      for (let walk = 1; walk < 7; walk += 1) await readsAheadOf(walk);
      assert.equal(await readsAheadOf(7), 0);
    });

    it('reads nothing ahead while something is written about the station', async () => {
      const { read, cache } = startReader();
      let after: Position | undefined;
      for (let n = 0; n < 6; n += 1) {
        after = (await read(toWantedPage(filters, 1000, after), ORIGIN)).page.next;
        await finishReadsAhead();
        await insert(archive.client, put(report({ at: `2010-01-0${n + 1}T00:00:00Z`, station: 'XAAA' })));
        clock += 1000;
      }
      // The second page alone: no block of this walk had been dropped yet.
      assert.ok(cache.readsAhead <= 1, `${cache.readsAhead} blocks`);
      assert.ok(cache.outdated >= 4, `${cache.outdated} blocks`);
    });

    it('reads the first page by four statements: changes, coverage and listings, records', async () => {
      await startReader().read(toWantedPage(filters, 1000, undefined), ORIGIN);
      assert.equal(statements.length, 4, statements.join('\n\n'));
      assert.equal(pageStatements().length, 1);
    });

    it('reads the same page, and the same page later in a walk, without a statement', async () => {
      const { read, cache } = startReader();
      const first = await read(toWantedPage(filters, 1000, undefined), ORIGIN);
      const second = await read(toWantedPage(filters, 1000, first.page.next), ORIGIN);
      await finishReadsAhead();
      statements = [];
      const again = [
        await read(toWantedPage(filters, 1000, undefined), ORIGIN),
        await read(toWantedPage(filters, 1000, first.page.next), ORIGIN),
      ];
      const ids = (page: ArchivePage) => recordsOf(page).map(({ id }) => id);
      assert.deepEqual(again.map(ids), [first, second].map(ids));
      assert.deepEqual(statements, []);
      assert.deepEqual([cache.hits, cache.misses], [2, 2]);
      clock += 1000;
      await read(toWantedPage(filters, 1000, undefined), ORIGIN);
      assert.deepEqual(pageStatements(), [], 'nothing has changed');
    });

    it('shares one statement among identical requests at the same time', async () => {
      const { read } = startReader();
      const pages = await Promise.all(
        Array.from({ length: 20 }, () => read(toWantedPage(filters, 500, undefined), ORIGIN)),
      );
      assert.equal(pageStatements().length, 1);
      assert.ok(pages.every(({ page }) => page.count === 500));
    });

    it('keeps nothing and reads nothing ahead with 0 bytes', async () => {
      const { read, cache } = startReader(0);
      let after: Position | undefined;
      for (let n = 0; n < 3; n += 1)
        after = (await read(toWantedPage(filters, 1000, after), ORIGIN)).page.next;
      assert.equal(pageStatements().length, 3);
      assert.equal(cache.bytes, 0);
      assert.ok(pageStatements().every((query) => !query.includes('10000')));
    });

    it('has no more bytes than it may have, whatever is read', async () => {
      const { read, cache } = startReader(MB);
      for (let n = 0; n < 12; n += 1) {
        let after: Position | undefined;
        for (let pages = 0; pages < 5; pages += 1)
          after = (
            await read(toWantedPage({ ...filters, from: filters.from + n * DAY_MS }, 700, after), ORIGIN)
          ).page.next;
        assert.ok(cache.bytes <= MB, `${cache.bytes} bytes`);
      }
      assert.ok(cache.bytes > MB / 2);
    });
  });

  describe('while loaders write', () => {
    const STATIONS = ['XAAA', 'XAAB', 'XAAC'];
    beforeEach(async () => {
      await empty();
      await list(archive.client, { station: 'XAAA' });
    });
    afterEach(() => archive.client.command({ query: 'SYSTEM START MERGES observations' }));

    const reportAt = (minute: number, station: number): Report =>
      report({ at: new Date(START + minute * 60_000).toISOString(), station: STATIONS[station] ?? '' });

    const filters = fc.record({
      stations: fc.shuffledSubarray(STATIONS, { minLength: 1 }),
      from: fc.constantFrom(START, START + 10 * 60_000),
      to: fc.constant(START + DAY_MS),
      type: fc.constantFrom('all' as const, 'metar' as const, 'speci' as const),
      include: fc.constantFrom(['raw' as const], ['raw' as const, 'decoded' as const]),
    });
    const minutes = fc.uniqueArray(fc.nat(40), { minLength: 1, maxLength: 15 });
    const station = fc.nat(2);
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('insert' as const), minutes, station }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('reclassify' as const), minutes, station }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), minutes, station }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('merge' as const) }) },
      {
        weight: 12,
        arbitrary: fc.record({
          kind: fc.constant('read' as const),
          walk: fc.nat(2),
          limit: fc.integer({ min: 1, max: 9 }),
        }),
      },
    );

    it('returns what the archive has, for random walks with random page sizes', async () => {
      let [hits, ahead] = [0, 0];
      let revision = 1;
      const uncached = pageReader(archive.client);
      const write = async (action: Write) => {
        if (action.kind === 'merge')
          return void (await archive.client.command({ query: 'OPTIMIZE TABLE observations FINAL' }));
        const reports = action.minutes.map((minute) => reportAt(minute, action.station));
        revision += 1;
        if (action.kind === 'insert')
          await insert(archive.client, ...reports.map((one) => put(one, revision)));
        else if (action.kind === 'reclassify')
          await insert(
            archive.client,
            ...reports.flatMap((one) => [
              retract(one, revision),
              put({ ...one, type: one.type === 'METAR' ? 'SPECI' : 'METAR' }, revision),
            ]),
          );
        else
          await archive.client.command({
            query:
              'ALTER TABLE observations DELETE WHERE station = {station:String} AND observedAt < {to:UInt32}',
            query_params: {
              station: STATIONS[action.station],
              to: START / 1000 + (action.minutes[0] ?? 0) * 60,
            },
            clickhouse_settings: { mutations_sync: '2' },
          });
      };
      const property = fc.asyncProperty(
        fc.array(filters, { minLength: 3, maxLength: 3 }),
        fc.array(step, { minLength: 5, maxLength: 30 }),
        async (walks, steps) => {
          clock += 120_000;
          const { read, cache } = startReader();
          const positions: (Position | undefined)[] = [];
          for (const action of steps) {
            if (action.kind !== 'read') {
              await write(action);
              continue;
            }
            const of = walks[action.walk] as Filters;
            const wanted = toWantedPage(of, action.limit, positions[action.walk]);
            // From now on nothing that was written before may be missing.
            clock += 1000;
            const { page, coverage } = await read(wanted, ORIGIN);
            const expected = await uncached(wanted.request, NO_LIMIT);
            assert.deepEqual(
              page.parts().flatMap((bytes) => parseRecords({ bytes })),
              parseRecords(expected.records),
            );
            assert.deepEqual(page.next, expected.next);
            assert.deepEqual(JSON.parse(coverage.text), await readCoverage(archive.client, of, NO_LIMIT));
            positions[action.walk] = page.next;
          }
          await finishReadsAhead();
          hits += cache.hits;
          ahead += cache.readsAhead;
        },
      );
      await fc.assert(property, { numRuns: 25 });
      assert.ok(hits > 20, `${hits} pages were in memory`);
      assert.ok(ahead > 10, `${ahead} blocks were read ahead`);
    }).timeout(240_000);

    it('never returns coverage that claims more than the page has (D16)', async () => {
      const DAYS = 40;
      const dayFilters = (n: number) => filtersOf({ from: START + n * DAY_MS, to: START + (n + 1) * DAY_MS });
      const at = (day: number, hour: number) =>
        new Date(START + day * DAY_MS + hour * 3_600_000).toISOString();
      const { read } = startReader();
      let written = 0;
      const write = async () => {
        for (; written < DAYS; written += 1) {
          await insert(
            archive.client,
            ...Array.from({ length: 24 }, (_, hour) => put(report({ at: at(written, hour) }))),
          );
          await recordDone(archive.client, at(written, 0).slice(0, 10), at(written + 1, 0).slice(0, 10), {
            station: 'XAAA',
          });
        }
      };
      const seen = { none: 0, partial: 0, complete: 0 };
      const check = async (day: number) => {
        const answer = await read(toWantedPage(dayFilters(day), 1000, undefined), ORIGIN);
        const { status } = JSON.parse(answer.coverage.text) as { status: keyof typeof seen };
        seen[status] += 1;
        if (status !== 'none')
          assert.equal(answer.page.count, 24, `${status} with ${answer.page.count} records`);
      };
      const readWhileWriting = async (step: number) => {
        for (let n = step; written < DAYS; n += 1) {
          clock += 10;
          // The days around the one that is being written.
          await check(Math.min(DAYS - 1, Math.max(0, written + (n % 3) - 1)));
        }
      };
      await Promise.all([write(), readWhileWriting(0), readWhileWriting(1), readWhileWriting(2)]);
      assert.ok(seen.none > 0 && seen.complete > 0, JSON.stringify(seen));
      clock += 1000;
      for (let day = 0; day < DAYS; day += 1) await check(day);
      assert.ok(seen.complete >= DAYS, JSON.stringify(seen));
    }).timeout(120_000);
  });
});
