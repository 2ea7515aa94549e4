import assert from 'node:assert/strict';
import type { CoveredPage } from '../../../../api/observations/pages.ts';
import type { Position } from '../../../../clickhouse/model/report.ts';
import { DAY_SECONDS, MB, PageReaders, pageQuery, selectionOf } from '../../../support/api/page-readers.ts';
import { insert, put, report, useArchive } from '../../../support/archive/archive.ts';
import { list } from '../../../support/archive/ledger.ts';

describe('pages in memory over a station of 101,000 reports', () => {
  const archive = useArchive();
  const readers = new PageReaders(archive);
  before(async () => {
    await archive.client.command({
      query: `
        INSERT INTO observations (observedAt, station, type, fingerprint, version, source, text, clean, decoder)
        SELECT toDateTime('2012-01-01 00:00:00', 'UTC') + number * 3600, 'XAAA', 'METAR', number, 1, 'demo',
          concat('METAR XAAA 010000Z 18004KT CAVOK 12/07 Q1013 ', toString(number)), 1, 1
        FROM numbers(101000)`,
    });
    await archive.client.command({
      query: 'INSERT INTO station_observations SELECT * FROM observations',
    });
    await list(archive.client, { station: 'XAAA' });
  });
  beforeEach(() => {
    readers.statements = [];
    readers.clock += 60_000;
  });
  type Readers = ReturnType<typeof readers.start>;
  /** Reads pages of a walk, each after the read before has been ended. */
  const walkSlowly = async ({ read }: Readers, limit: number, pages: number) => {
    let after: Position | undefined;
    for (let n = 0; n < pages; n += 1) {
      after = (await read(pageQuery(filters, limit, after))).page.next;
      await readers.finishReadsAhead();
    }
  };
  const filters = selectionOf({
    from: Date.parse('2012-01-01T00:00:00Z') / 1000,
    to: Date.parse('2026-01-01T00:00:00Z') / 1000,
  });

  it('reads a walk of 100 pages of 1,000 by at most 15 statements, and at most 25 with all others', async () => {
    const { read } = readers.start();
    let after: Position | undefined;
    for (let n = 0; n < 100; n += 1) {
      // A quick client: changes are looked for every half second.
      readers.clock += 20;
      const { page } = await read(pageQuery(filters, 1000, after));
      assert.equal(page.count, 1000);
      after = page.next;
      assert.equal(
        after?.observedAt,
        Date.parse('2012-01-01T00:00:00Z') / 1000 + ((n + 1) * 1000 - 1) * 3600,
      );
    }
    await readers.finishReadsAhead();
    assert.ok(readers.pageStatements().length <= 15, `${readers.pageStatements().length} statements`);
    assert.ok(readers.statements.length <= 25, `${readers.statements.length} statements`);
  });

  for (const [limit, readsAhead] of [
    [1000, 8],
    [50, 3],
  ] as const)
    it(`lets only the first page of a walk wait for records, with ${limit} records a page`, async () => {
      const started = readers.start();
      const { pages } = started;
      await walkSlowly(started, limit, 50);
      assert.deepEqual([pages.misses, pages.hits], [1, 49]);
      assert.equal(readers.pageStatements().length, 1 + pages.readsAhead);
      assert.ok(pages.readsAhead <= readsAhead, `${pages.readsAhead} reads`);
    });

  it('reads nothing ahead of a first page, and of the end of a range', async () => {
    const { read, pages } = readers.start();
    await read(pageQuery(filters, 1000, undefined));
    const short = { ...filters, to: filters.from + 1500 * 3600 };
    const first = await read(pageQuery(short, 1000, undefined));
    assert.equal((await read(pageQuery(short, 1000, first.page.next))).page.next, undefined);
    await readers.finishReadsAhead();
    assert.equal(pages.readsAhead, 0);
  });

  it('reads nothing ahead where the cache is too small for the walks under way', async () => {
    const { read, pages } = readers.start(4 * MB);
    const readsAheadOf = async (walk: number) => {
      const before = pages.readsAhead;
      const of = { ...filters, from: filters.from + walk * DAY_SECONDS };
      const first = await read(pageQuery(of, 1000, undefined));
      await read(pageQuery(of, 1000, first.page.next));
      await readers.finishReadsAhead();
      return pages.readsAhead - before;
    };
    assert.equal(await readsAheadOf(0), 1);
    assert.equal(await readsAheadOf(1), 0);
  });

  it('reads nothing ahead while something is written about the station', async () => {
    const { read, pages } = readers.start();
    let after: Position | undefined;
    for (let n = 0; n < 6; n += 1) {
      after = (await read(pageQuery(filters, 1000, after))).page.next;
      await readers.finishReadsAhead();
      await insert(archive.client, put(report({ at: `2010-01-0${n + 1}T00:00:00Z`, station: 'XAAA' })));
      readers.clock += 1000;
    }
    // The second page alone: no page of this walk had been dropped yet.
    assert.ok(pages.readsAhead <= 1, `${pages.readsAhead} reads`);
    assert.ok(pages.outdated >= 4, `${pages.outdated} pages`);
  });

  it('reads the first page by four statements: changes, coverage and listings, records', async () => {
    await readers.start().read(pageQuery(filters, 1000, undefined));
    assert.equal(readers.statements.length, 4, readers.statements.join('\n\n'));
    assert.equal(readers.pageStatements().length, 1);
  });

  it('reads the same page, and the same page later in a walk, without a statement', async () => {
    const { read, pages } = readers.start();
    const first = await read(pageQuery(filters, 1000, undefined));
    const second = await read(pageQuery(filters, 1000, first.page.next));
    await readers.finishReadsAhead();
    readers.statements = [];
    const again = [
      await read(pageQuery(filters, 1000, undefined)),
      await read(pageQuery(filters, 1000, first.page.next)),
    ];
    const textOf = ({ page }: CoveredPage) => `${page.text.text}`;
    assert.deepEqual(again.map(textOf), [first, second].map(textOf));
    assert.deepEqual(readers.statements, []);
    assert.deepEqual([pages.hits, pages.misses], [3, 1]);
    readers.clock += 1000;
    await read(pageQuery(filters, 1000, undefined));
    assert.deepEqual(readers.pageStatements(), [], 'nothing has changed');
  });

  it('reads another range while it asks for changes, and reads it again where they concern its station', async () => {
    const { read } = readers.start();
    const from = (days: number) =>
      pageQuery({ ...filters, from: filters.from + days * DAY_SECONDS }, 1, undefined);
    await read(from(0));
    for (const [days, station, statements] of [
      [1, 'XBBB', 1],
      [2, 'XAAA', 2],
    ] as const) {
      const at = new Date((filters.from + days * DAY_SECONDS) * 1000).toISOString();
      await insert(
        archive.client,
        put(report({ at, station, raw: `METAR ${station} NEW ${days}`, source: 'iem' })),
      );
      readers.clock += 1000;
      readers.statements = [];
      await read(from(days));
      assert.equal(readers.pageStatements().length, statements, station);
    }
  });
});
