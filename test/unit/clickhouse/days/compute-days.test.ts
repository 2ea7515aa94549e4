import assert from 'node:assert/strict';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { computeDays } from '../../../../clickhouse/days/compute-days.ts';

describe('the computation of days', () => {
  it('lets other work run again and again, and ends once it is no longer wanted', async () => {
    const archive = { select: async () => Buffer.alloc(0) } as unknown as Archive;
    const clocks = [{ stations: ['XAAA'], offsets: [] }];
    const gone = new AbortController();
    let turns = 0;
    const other = () => {
      turns += 1;
      if (turns === 3) gone.abort(new Error('The client has gone'));
      else setImmediate(other);
    };
    setImmediate(other);
    const days = computeDays(archive, clocks, () => [{ first: 0, end: 1e5 }], 0, gone.signal);
    await assert.rejects(async () => {
      for await (const _ of days);
    }, /The client has gone/);
    assert.equal(turns, 3);
  });
});
