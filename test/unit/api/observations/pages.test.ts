import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { openResponseCache } from '../../../../api/answers/memory.ts';
import { type Page, PageMemory, type PageQuery } from '../../../../api/observations/page-memory.ts';
import { coverAndRead, type PageContext, slicePages } from '../../../../api/observations/pages.ts';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { LogicalClock, type Moment } from '../../../../clickhouse/concurrency.ts';
import { type Position, REPORT_TYPES } from '../../../../clickhouse/model/report.ts';
import { recordsAt } from '../../../support/archive/records.ts';

const positionAt = (n: number): Position => ({
  observedAt: 1_704_067_200 + n * 60,
  station: 'XAAA',
  type: 'METAR',
  fingerprint: '00000000',
});
const at = (moment: number) => moment as Moment;
const MB = 1024 * 1024;

/** Pages of the first records of a query; without `next` they are all. */
function pagesOf(count: number, limit: number, next?: Position): readonly Page[] {
  const records = recordsAt(Array.from({ length: count }, (_, n) => positionAt(n)));
  return slicePages({ records, ...(next && { next }) }, { limit }, at(1));
}

const minutesOf = ({ text }: Page) =>
  (JSON.parse(`[${text.text}]`) as { observedAt: string }[]).map(({ observedAt }) =>
    Number(observedAt.slice(14, 16)),
  );

describe('pages that are sliced from the records of one statement', () => {
  it('have all records in order, and each begins where the one before ends', () => {
    for (const next of [undefined, positionAt(8)])
      for (let limit = 1; limit < 12; limit += 1) {
        const pages = pagesOf(9, limit, next);
        assert.deepEqual(pages.flatMap(minutesOf), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert.equal(pages.length, Math.ceil(9 / limit));
        for (const [n, page] of pages.entries()) {
          const last = Math.min(8, (n + 1) * limit - 1);
          assert.equal(page.count, minutesOf(page).length);
          assert.deepEqual(page.next, last === 8 ? next : positionAt(last));
          assert.equal(page.readEnd, next);
        }
      }
  });

  it('are one empty page where nothing was found, which continues where the search ended', () => {
    for (const next of [undefined, positionAt(100)]) {
      const pages = pagesOf(0, 5, next);
      assert.deepEqual(
        pages.map(({ count, text, next }) => [count, `${text.text}`, next]),
        [[0, '', next]],
      );
    }
  });

  it('keep no more memory alive than they count', () => {
    for (const { text, size } of pagesOf(9, 2)) assert.equal(text.text.buffer.byteLength, size);
  });

  it('have a digest of their own text', () => {
    const digests = [...pagesOf(9, 2), ...pagesOf(9, 3)].map(({ text }) => text.digest);
    assert.equal(new Set(digests).size, 8);
    assert.deepEqual(pagesOf(9, 2)[1]?.text.digest, digests[1]);
  });
});

describe('memory of pages', () => {
  const queryOf = (more: Partial<PageQuery> = {}): PageQuery => ({
    stations: ['XAAA'],
    from: 0,
    to: 1,
    types: REPORT_TYPES,
    raw: true,
    decoded: false,
    limit: 5,
    after: undefined,
    filtersKey: 'one',
    ...more,
  });
  let clock = 1000;
  const memoryOf = (bytes: number) =>
    new PageMemory(openResponseCache(bytes), new LogicalClock(), () => clock);
  const [page] = pagesOf(5, 5) as [Page];

  it('finds a page by its filters, limit and position', () => {
    const pages = memoryOf(MB);
    const second = queryOf({ after: positionAt(4) });
    pages.add(second, page);
    assert.equal(pages.find(second, at(1)), page);
    for (const other of [queryOf(), { ...second, limit: 6 }, { ...second, filtersKey: 'two' }])
      assert.equal(pages.find(other, at(1)), undefined);
  });

  it('finds no page that was read before the coverage of a request', () => {
    const pages = memoryOf(MB);
    pages.add(queryOf(), { ...page, readFrom: at(3) });
    assert.notEqual(pages.find(queryOf(), at(3)), undefined);
    assert.equal(pages.find(queryOf(), at(4)), undefined);
  });

  it('drops what was added first of a walk, and what was requested least recently of first pages', () => {
    const one = memoryOf(MB);
    one.add(queryOf(), page);
    for (const [positions, kept] of [
      [
        [undefined, undefined, undefined, undefined],
        [true, false, true, true],
      ],
      [
        [1, 2, 3, 4],
        [false, true, true, true],
      ],
    ] as const) {
      const pages = memoryOf(one.bytes * 3.5);
      const queries = positions.map((n, key) =>
        queryOf({ filtersKey: `${key}`, after: n === undefined ? n : positionAt(n) }),
      );
      for (const [n, query] of queries.entries()) {
        if (n === 3) pages.touch(queries[0] as PageQuery);
        pages.add(query, page);
      }
      assert.ok(pages.bytes <= one.bytes * 3.5);
      assert.deepEqual(
        queries.map((query) => pages.has(query)),
        kept,
      );
    }
  });

  it('divides three quarters of its bytes among the walks that asked within the last ten seconds and have not ended', () => {
    const pages = memoryOf(8 * MB);
    const walk = (filtersKey: string) => pages.touch(queryOf({ filtersKey, after: positionAt(0) }));
    assert.equal(pages.bytesOfWalk, 6 * MB);
    for (const key of ['one', 'two', 'three']) walk(key);
    pages.touch(queryOf({ filtersKey: 'first page' }));
    assert.equal(pages.bytesOfWalk, 2 * MB);
    pages.walks.delete('three');
    assert.equal(pages.bytesOfWalk, 3 * MB);
    clock += 9000;
    walk('one');
    clock += 9000;
    assert.equal(pages.bytesOfWalk, 6 * MB);
  });

  it('keeps nothing with a limit of 0', () => {
    const pages = memoryOf(0);
    pages.add(queryOf(), page);
    assert.deepEqual([pages.has(queryOf()), pages.bytes], [false, 0]);
    assert.ok(pages.bytesOfWalk < 1);
  });

  it('shares a read among concurrent requests that it is new enough for', async () => {
    const coverage = new LogicalClock();
    const pages = new PageMemory(openResponseCache(MB), coverage);
    const begun: Moment[] = [];
    const read = async (readFrom: Moment) => {
      begun.push(readFrom);
      return page;
    };
    const { signal } = new AbortController();
    const first = [1, 2].map(() => pages.share(queryOf(), coverage.now, read, signal));
    assert.equal(pages.isReading(queryOf()), true);
    const later = pages.share(queryOf(), coverage.tick(), read, signal);
    await Promise.all([...first, later]);
    assert.deepEqual(begun, [0, 1]);
    assert.equal(pages.isReading(queryOf()), false);
  });
});

describe('a page and the coverage states of its stations', () => {
  const statesOf = (moment: number) => ({ states: new Map(), readAt: at(moment) });
  /**
   * What is done, in order. The states in memory are those of moment 1, the current ones come when the page has been given a
   * chance.
   *
   * @param failing the reads of pages that fail, from 1 on
   */
  async function run(inMemory: boolean, current: number | Error, failing: readonly number[] = []) {
    const steps: unknown[] = [];
    let [reads, statesReadAt] = [0, 1];
    const context = {
      states: {
        recall: () => (inMemory ? statesOf(1) : undefined),
        async current() {
          await setImmediate();
          steps.push('know');
          if (current instanceof Error) throw current;
          statesReadAt = current;
          return statesOf(current);
        },
      },
      // A coverage of these states is in memory.
      cache: { get: () => ({ statesReadAt, day: Math.floor(Date.now() / 86_400_000) }) },
      pages: {
        find: () => undefined,
        async share() {
          reads += 1;
          steps.push(`read ${reads}`);
          if (failing.includes(reads)) throw new Error(`failed ${reads}`);
          return reads;
        },
      },
    } as unknown as PageContext;
    const { signal } = new AbortController();
    const query = { stations: ['XAAA'], from: 0, to: 1, limit: 1 } as unknown as PageQuery;
    const end = await coverAndRead(context, {} as Archive, query, signal).catch(({ message }) => message);
    return [...steps, end.page ?? end];
  }

  for (const [what, ran, expected] of [
    ['waits for states that are not in memory', run(false, 2), ['know', 'read 1', 1]],
    ['is read before it is known that states are current', run(true, 1), ['read 1', 'know', 1]],
    ['is read again with changed states', run(true, 2), ['read 1', 'know', 'read 2', 2]],
    ['is read again where its read failed', run(true, 2, [1]), ['read 1', 'know', 'read 2', 2]],
    ['fails with current states', run(true, 1, [1]), ['read 1', 'know', 'failed 1']],
    ['fails with changed states', run(true, 2, [2]), ['read 1', 'know', 'read 2', 'failed 2']],
    ['fails where changes cannot be read', run(true, new Error('away')), ['read 1', 'know', 'away']],
  ] as const)
    it(what, async () => assert.deepEqual(await ran, expected));
});
