import assert from 'node:assert/strict';
import { PageCache } from '../../../../api/observations/page-cache.ts';
import { PageBuilder, RecordSegment } from '../../../../api/observations/record-segment.ts';
import type { Moment } from '../../../../clickhouse/concurrency.ts';
import type { Position } from '../../../../clickhouse/model/report.ts';
import { orderKeyOf } from '../../../../clickhouse/observations/records.ts';
import { recordsAt } from '../../../support/archive/records.ts';

const positionAt = (n: number): Position => ({
  observedAt: 1_704_067_200 + n * 60,
  station: 'XAAA',
  type: 'METAR',
  fingerprint: '00000000',
});
const keyAt = (n: number) => (n < 0 ? '' : orderKeyOf(positionAt(n)));

/** The records from number `from` up to number `to` of a query. */
function segmentOf(
  from: number,
  to: number,
  more: { query?: string; isEnd?: boolean; readFrom?: Moment } = {},
) {
  const positions = Array.from({ length: to - from }, (_, n) => positionAt(from + n));
  const { isEnd = false, ...about } = { query: 'one', readFrom: at(1), ...more };
  const next = isEnd ? {} : { next: positionAt(to - 1) };
  return new RecordSegment({ records: recordsAt(positions), ...next }, { ...about, after: keyAt(from - 1) });
}

const at = (moment: number) => moment as Moment;
const MB = 1024 * 1024;

describe('page cache', () => {
  it('finds the segment that has what follows a position, at whatever record of it', () => {
    const cache = new PageCache(MB);
    const [first, second] = [segmentOf(0, 5), segmentOf(5, 10)];
    cache.add(second);
    cache.add(first);
    for (const n of [-1, 0, 3]) assert.equal(cache.find('one', keyAt(n), at(1)), first, `after ${n}`);
    for (const n of [4, 8]) assert.equal(cache.find('one', keyAt(n), at(1)), second, `after ${n}`);
    assert.equal(cache.find('one', keyAt(9), at(1)), undefined);
    assert.equal(cache.find('other', keyAt(0), at(1)), undefined);
    assert.equal(cache.findBefore('one', keyAt(4)), first);
    assert.equal(cache.findBefore('one', keyAt(9)), second);
    assert.equal(cache.findBefore('one', keyAt(3)), undefined);
  });

  it('shares three quarters of its bytes among the walks that asked within the last ten seconds', () => {
    let clock = 0;
    const cache = new PageCache(8 * MB, () => clock);
    for (const query of ['one', 'two', 'three', 'four', 'five', 'six'])
      cache.add(segmentOf(5, 10, { query }));
    assert.equal(cache.bytesOfWalk, MB);
    cache.add(segmentOf(0, 5, { query: 'first page' }));
    assert.equal(cache.bytesOfWalk, MB);
    clock += 9000;
    for (const query of ['one', 'two', 'three', 'four']) cache.find(query, keyAt(6), at(1));
    clock += 9000;
    assert.equal(cache.bytesOfWalk, 1.5 * MB);
    clock += 9000;
    assert.equal(cache.bytesOfWalk, 2 * MB);
  });

  it('does not find what lies before the first segment, or between two', () => {
    const cache = new PageCache(MB);
    cache.add(segmentOf(3, 5));
    cache.add(segmentOf(8, 10));
    for (const n of [-1, 1, 4, 6, 9])
      assert.equal(cache.find('one', keyAt(n), at(1)), undefined, `after ${n}`);
  });

  it('knows that nothing follows the last record', () => {
    const cache = new PageCache(MB);
    const [last, none] = [segmentOf(5, 10, { isEnd: true }), segmentOf(0, 0, { query: 'two', isEnd: true })];
    cache.add(last);
    cache.add(none);
    assert.equal(cache.find('one', keyAt(9), at(1)), last);
    assert.equal(cache.find('one', keyAt(20), at(1)), last);
    assert.equal(cache.find('two', '', at(1)), none);
  });

  it('drops a segment that was read before the coverage of a request', () => {
    const cache = new PageCache(MB);
    const old = segmentOf(0, 5, { readFrom: at(3) });
    cache.add(old);
    assert.equal(cache.find('one', '', at(3)), old);
    assert.equal(cache.find('one', '', at(4)), undefined);
    assert.equal(cache.bytes, 0);
    assert.equal(cache.find('one', '', at(3)), undefined);
  });

  it('takes a new segment in place of one of the same position', () => {
    const cache = new PageCache(MB);
    const [short, long] = [segmentOf(0, 2), segmentOf(0, 5)];
    cache.add(short);
    cache.add(long);
    assert.equal(cache.find('one', '', at(1)), long);
    assert.equal(cache.find('one', keyAt(3), at(1)), long);
    cache.find('one', '', at(2));
    assert.equal(cache.bytes, 0);
  });

  it('has no more bytes than it may have, and drops what was used least recently', () => {
    const one = new PageCache(MB);
    one.add(segmentOf(0, 5));
    const size = one.bytes;
    const cache = new PageCache(size * 3.5);
    for (const n of [0, 1, 2]) cache.add(segmentOf(n * 5, n * 5 + 5));
    assert.equal(cache.bytes, size * 3);
    cache.find('one', '', at(1));
    cache.add(segmentOf(15, 20));
    assert.ok(cache.bytes <= size * 3.5);
    const found = [0, 1, 2, 3].map((n) => cache.find('one', keyAt(n * 5 - 1), at(1)) !== undefined);
    assert.deepEqual(found, [true, false, true, true]);
    cache.add(segmentOf(0, 1000, { query: 'large' }));
    assert.equal(cache.find('large', '', at(1)), undefined);
  });

  it('counts the whole memory that the bytes of a segment keep alive', () => {
    const records = recordsAt([positionAt(0)]);
    const large = Buffer.alloc(MB);
    records.bytes.copy(large);
    const bytes = large.subarray(0, records.bytes.length);
    const about = { query: 'one', after: '', readFrom: at(1) };
    assert.ok(new RecordSegment({ records: { ...records, bytes } }, about).size > MB);
  });

  it('keeps nothing with a limit of 0', () => {
    const cache = new PageCache(0);
    cache.add(segmentOf(0, 5));
    assert.equal(cache.find('one', '', at(1)), undefined);
    assert.equal(cache.bytes, 0);
  });
});

describe('a page that is built of segments', () => {
  const read = (segments: readonly RecordSegment[], after: number, limit: number) => {
    const page = new PageBuilder({ after: after < 0 ? undefined : positionAt(after), limit });
    for (const segment of segments) if (!page.isComplete) page.add(segment);
    return page;
  };
  const minutes = (page: PageBuilder) =>
    page.parts.flatMap((part) =>
      (JSON.parse(`[${part}]`) as { observedAt: string }[]).map(({ observedAt }) =>
        Number(observedAt.slice(14, 16)),
      ),
    );

  it('continues from any position in any number of segments', () => {
    const segments = [segmentOf(0, 4), segmentOf(4, 6), segmentOf(6, 9, { isEnd: true })];
    for (let after = -1; after < 3; after += 1)
      for (let limit = 1; limit < 12; limit += 1) {
        const page = read(segments, after, limit);
        const expected = [0, 1, 2, 3, 4, 5, 6, 7, 8].slice(after + 1, after + 1 + limit);
        assert.deepEqual(minutes(page), expected);
        assert.equal(page.count, expected.length);
        assert.ok(page.isComplete);
        const last = expected.at(-1) ?? -1;
        assert.deepEqual(page.next, last === 8 ? undefined : positionAt(last));
      }
  });

  it('lacks what the segments do not have', () => {
    const page = read([segmentOf(0, 4)], 0, 5);
    assert.deepEqual([page.isComplete, page.missing, page.position], [false, 2, keyAt(3)]);
  });

  it('is complete without records where there are none', () => {
    const page = read([segmentOf(0, 0, { isEnd: true })], -1, 5);
    assert.deepEqual([page.isComplete, page.count, page.next, page.parts], [true, 0, undefined, []]);
  });

  it('has its digest computed once, and of its own records', () => {
    const segments = [segmentOf(0, 4), segmentOf(4, 6, { isEnd: true })];
    const digest = (after: number, limit: number) => read(segments, after, limit).digest;
    const digests = [digest(-1, 2), digest(-1, 3), digest(0, 2), digest(-1, 5), digest(-1, 6), digest(4, 1)];
    assert.equal(new Set(digests).size, 6);
    for (const segment of segments)
      for (const key of segment.digests.keys()) segment.digests.set(key, 'known');
    assert.deepEqual([digest(-1, 2), digest(4, 1), digest(-1, 6)], ['known', 'known', 'known']);
  });
});
