import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { IdleTimeout } from '../../../../loader/http/idle-timeout.ts';
import { NO_LIMIT } from '../../../support/archive/archive.ts';

describe('idle timeout of a request', () => {
  it('aborts after the time and says that it has expired', async () => {
    const timeout = new IdleTimeout(30, NO_LIMIT);
    await sleep(100);
    assert.deepEqual([timeout.signal.aborted, timeout.isExpired], [true, true]);
  });

  it('starts again with every byte', async () => {
    const timeout = new IdleTimeout(200, NO_LIMIT);
    for (let chunk = 0; chunk < 6; chunk += 1) {
      await sleep(50);
      timeout.restart();
    }
    assert.equal(timeout.signal.aborted, false);
    timeout.clear();
  });

  it('aborts with the outer signal without having expired', () => {
    const outer = new AbortController();
    const timeout = new IdleTimeout(10_000, outer.signal);
    outer.abort();
    assert.deepEqual([timeout.signal.aborted, timeout.isExpired], [true, false]);
    timeout.clear();
  });
});
