import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { shareRuns } from '../../../../api/auth/share-runs.ts';

describe('shared runs', () => {
  it('are common to concurrent calls, and start after each of their calls', async () => {
    let runs = 0;
    const call = shareRuns(async () => {
      runs += 1;
      await sleep(5);
      return runs;
    });
    const first = call();
    await sleep(1);
    const during = Array.from({ length: 100 }, call);
    assert.equal(await first, 1);
    assert.deepEqual([...new Set(await Promise.all(during))], [2]);
    assert.equal(await call(), 3);
  });

  it('fail for the calls of one run only', async () => {
    let runs = 0;
    const call = shareRuns(async () => {
      runs += 1;
      await sleep(1);
      if (runs === 1) throw new Error('no file');
      return runs;
    });
    const calls = [call(), call()];
    await sleep(0);
    const during = call();
    for (const each of calls) await assert.rejects(each, /no file/);
    assert.equal(await during, 2);
  });
});
