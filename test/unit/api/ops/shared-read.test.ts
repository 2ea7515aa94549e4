import assert from 'node:assert/strict';
import { SharedRead } from '../../../../api/ops/shared-read.ts';
import type { Archive } from '../../../../clickhouse/archive.ts';

describe('a value that requests share', () => {
  /** Each read takes the next result. */
  function shareResults(...results: readonly (string | Error)[]) {
    let reads = 0;
    const shared = new SharedRead({} as Archive, async () => {
      const result = results[reads];
      reads += 1;
      if (typeof result === 'string') return result;
      throw result;
    });
    return { shared, countReads: () => reads };
  }

  it('is read once for all requests of a minute', async () => {
    const { shared, countReads } = shareResults('first', 'second');
    assert.equal(shared.last, undefined);
    assert.deepEqual(await Promise.all([shared.current(), shared.current()]), ['first', 'first']);
    assert.equal(await shared.current(), 'first');
    assert.equal(countReads(), 1);
  });

  it('fails alike for all that wait for it', async () => {
    const { shared, countReads } = shareResults(new Error('no connection'), 'later');
    const refused = { code: 'storage_unavailable', headers: { 'Retry-After': '2' } };
    const waiting = [shared.current(), shared.current()];
    for (const each of waiting) await assert.rejects(each, refused);
    assert.equal(countReads(), 1);
  });
});
