import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { Archive, Select } from '../../../../clickhouse/archive.ts';
import type { ChangedStations } from '../../../../clickhouse/coverage/changes.ts';
import { CoverageStateCache } from '../../../../clickhouse/coverage/state-cache.ts';

const here = new AbortController().signal;

type Read = { readonly stations: readonly string[]; succeed(): void; fail(error: Error): void };

/**
 * A clock that a test moves, reads that it ends, and changes that it makes. The state of a station names the read that it comes
 * from, by its index in `reads`.
 */
function setUp() {
  const clock = { now: 0 };
  const reads: Read[] = [];
  const changes: { next: ChangedStations; onRefresh: () => Promise<void>; refreshes: number } = {
    next: new Set<string>(),
    onRefresh: async () => {},
    refreshes: 0,
  };
  /** The rows of two statements: listings, and `coverage_of_stations`, which has none. */
  const select = ({ query, params }: Select) =>
    new Promise<Buffer>((resolve, reject) => {
      if (!query.includes('FROM stations')) return resolve(Buffer.alloc(0));
      const stations = params?.stations as readonly string[];
      const read = reads.length;
      const rows = stations.map((station) => ({ source: 'iem', station, firstDay: read }));
      const succeed = () => resolve(Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n')));
      reads.push({ stations, succeed, fail: reject });
    });
  const cache = new CoverageStateCache({ select } as Archive, () => clock.now, {
    async read() {
      changes.refreshes += 1;
      const { next } = changes;
      changes.next = new Set();
      await changes.onRefresh();
      return next;
    },
  });
  const start = async (stations: readonly string[], signal = here) =>
    [...(await cache.current(stations, signal)).states].map(
      ([station, { listings }]) => `${station} ${listings[0]?.firstDay}`,
    );
  /** Starts a request, ends every read, and returns the states. */
  const request = async (...stations: string[]) => {
    const requested = start(stations);
    await idle();
    for (const { succeed } of reads) succeed();
    return requested;
  };
  return { clock, reads, changes, cache, start, request };
}

/** Everything that does not wait for the test has run. */
const idle = () => setImmediate();

describe('coverage state cache', () => {
  it('reads a station once, whatever the stations of the next request', async () => {
    const { reads, request } = setUp();
    assert.deepEqual(await request('XAAA', 'XAAB'), ['XAAA 0', 'XAAB 0']);
    assert.deepEqual(await request('XAAB', 'XAAC', 'XAAA'), ['XAAB 0', 'XAAC 1', 'XAAA 0']);
    assert.deepEqual(reads[1]?.stations, ['XAAC']);
  });

  it('keeps a station until it changes, and reads the changes every second', async () => {
    const { clock, changes, request } = setUp();
    await request('XAAA', 'XAAB');
    clock.now = 499;
    changes.next = new Set(['XAAA']);
    assert.deepEqual(await request('XAAA', 'XAAB'), ['XAAA 0', 'XAAB 0']);
    assert.equal(changes.refreshes, 1);
    clock.now = 1000;
    assert.deepEqual(await request('XAAA', 'XAAB'), ['XAAA 1', 'XAAB 0']);
    clock.now = 61_000;
    assert.deepEqual(await request('XAAA', 'XAAB'), ['XAAA 1', 'XAAB 0']);
    assert.equal(changes.refreshes, 3);
  });

  it('refreshes ahead of time without delaying a request, and ignores a failure of that', async () => {
    const { clock, changes, request } = setUp();
    await request('XAAA');
    let end = () => {};
    changes.onRefresh = () => new Promise<void>((resolve) => (end = resolve));
    changes.next = new Set(['XAAA']);
    clock.now = 500;
    assert.deepEqual(await request('XAAA'), ['XAAA 0']);
    clock.now = 999;
    assert.deepEqual(await request('XAAA'), ['XAAA 0']);
    end();
    await idle();
    assert.deepEqual(await request('XAAA'), ['XAAA 1']);
    assert.equal(changes.refreshes, 2);
    changes.onRefresh = () => Promise.reject(new Error('lost'));
    clock.now = 1000;
    assert.deepEqual(await request('XAAA'), ['XAAA 1']);
    changes.onRefresh = async () => {};
    clock.now = 1500;
    assert.deepEqual(await request('XAAA'), ['XAAA 1']);
    assert.equal(changes.refreshes, 4);
  });

  it('is cleared after a minute without a refresh', async () => {
    const { clock, request } = setUp();
    await request('XAAA');
    clock.now = 60_001;
    assert.deepEqual(await request('XAAA'), ['XAAA 1']);
  });

  it('is cleared when the changes are not known', async () => {
    const { clock, changes, request } = setUp();
    await request('XAAA', 'XAAB');
    clock.now = 1000;
    changes.next = 'all';
    assert.deepEqual(await request('XAAA', 'XAAB'), ['XAAA 1', 'XAAB 1']);
  });

  it('does not keep a station that changed while it was read', async () => {
    const { clock, changes, reads, start, request } = setUp();
    const early = start(['XAAA', 'XAAB']);
    await idle();
    clock.now = 1000;
    changes.next = new Set(['XAAA']);
    const late = start(['XAAA', 'XAAB']);
    await idle();
    assert.deepEqual(
      reads.map(({ stations }) => stations),
      [['XAAA', 'XAAB'], ['XAAA']],
    );
    for (const { succeed } of reads) succeed();
    assert.deepEqual(await early, ['XAAA 0', 'XAAB 0']);
    assert.deepEqual(await late, ['XAAA 1', 'XAAB 0']);
    assert.deepEqual(await request('XAAA', 'XAAB'), ['XAAA 1', 'XAAB 0']);
  });

  it('counts its age from the start of a refresh, and does not repeat a slow refresh', async () => {
    const { clock, changes, request } = setUp();
    changes.onRefresh = async () => {
      clock.now += 5000;
    };
    await request('XAAA');
    assert.equal(changes.refreshes, 1);
    await request('XAAA');
    assert.equal(changes.refreshes, 2);
  });

  it('shares reads and refreshes among concurrent requests', async () => {
    const { changes, reads, start } = setUp();
    const all = Promise.all([start(['XAAA']), start(['XAAA', 'XAAB']), start(['XAAB'])]);
    await idle();
    for (const { succeed } of reads) succeed();
    assert.deepEqual(await all, [['XAAA 0'], ['XAAA 0', 'XAAB 1'], ['XAAB 1']]);
    assert.deepEqual([changes.refreshes, reads.length], [1, 2]);
  });

  it('retries a failed shared read once for the waiters', async () => {
    const { reads, start } = setUp();
    const first = start(['XAAA']);
    const others = [start(['XAAA']), start(['XAAA'])];
    await idle();
    reads[0]?.fail(new Error('lost'));
    await assert.rejects(first, /lost/);
    await idle();
    reads[1]?.succeed();
    assert.deepEqual(await Promise.all(others), [['XAAA 1'], ['XAAA 1']]);
    assert.equal(reads.length, 2);
  });

  it('retries a failed refresh for the waiters', async () => {
    const { changes, start, request } = setUp();
    changes.onRefresh = async () => {
      changes.onRefresh = async () => {};
      throw new Error('lost');
    };
    const first = start(['XAAA']);
    const second = request('XAAA');
    await assert.rejects(first, /lost/);
    assert.deepEqual(await second, ['XAAA 0']);
    assert.equal(changes.refreshes, 2);
  });

  it('does not retry for a request that has been aborted', async () => {
    const { reads, start } = setUp();
    const left = new AbortController();
    const first = start(['XAAA']);
    const second = start(['XAAA'], left.signal);
    await idle();
    left.abort();
    reads[0]?.fail(new Error('lost'));
    await assert.rejects(first, /lost/);
    await assert.rejects(second, { name: 'AbortError' });
    assert.equal(reads.length, 1);
  });

  it('ends an aborted request while another one is still reading', async () => {
    const { reads, changes, start } = setUp();
    const left = new AbortController();
    const first = start(['XAAA']);
    const second = start(['XAAA'], left.signal);
    await idle();
    left.abort();
    await assert.rejects(second, { name: 'AbortError' });
    reads[0]?.succeed();
    assert.deepEqual(await first, ['XAAA 0']);
    assert.equal(changes.refreshes, 1);
  });

  it('drops the stations that were not requested for longest', async () => {
    const { reads, request } = setUp();
    const many = Array.from({ length: 5000 }, (_, n) => `X${n}`);
    await request(...many);
    await request('XAAA', 'XAAB');
    assert.deepEqual(await request('X2', 'X0'), ['X2 0', 'X0 2']);
    assert.deepEqual(reads.at(-1)?.stations, ['X0']);
  });

  it('returns states without a read only where all of them are cached, for a second after the changes were read', async () => {
    const { clock, reads, changes, cache, start, request } = setUp();
    assert.equal(cache.peek(['XAAA']), undefined);
    await request('XAAA', 'XAAB');
    assert.deepEqual([...(cache.peek(['XAAB', 'XAAA'])?.states.keys() ?? [])], ['XAAB', 'XAAA']);
    assert.equal(cache.peek(['XAAA', 'XAAC']), undefined);
    const reading = start(['XAAC']);
    await idle();
    assert.equal(cache.peek(['XAAC']), undefined, 'it is being read');
    reads.at(-1)?.succeed();
    await reading;
    assert.notEqual(cache.peek(['XAAC']), undefined);
    clock.now = 999;
    changes.next = new Set(['XAAA']);
    assert.notEqual(cache.peek(['XAAA']), undefined);
    await idle();
    assert.equal(cache.peek(['XAAA']), undefined, 'the call before started a refresh');
    clock.now = 1999;
    assert.equal(cache.peek(['XAAB']), undefined);
  });

  it('orders the reads of states by their ends', async () => {
    const { reads, cache, start } = setUp();
    const [first, second] = [start(['XAAA']), start(['XAAB'])];
    await idle();
    reads[1]?.succeed();
    await second;
    reads[0]?.succeed();
    await first;
    const momentOf = (...stations: string[]) => cache.peek(stations)?.readAt;
    assert.deepEqual([momentOf('XAAB'), momentOf('XAAA'), momentOf('XAAA', 'XAAB')], [1, 2, 2]);
    assert.equal(cache.clock.now, 2);
    assert.equal(cache.clock.tick(), 3);
  });
});
