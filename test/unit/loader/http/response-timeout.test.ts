import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { ResponseTimeout } from '../../../../loader/http/response-timeout.ts';
import { NO_LIMIT } from '../../../support/archive/archive.ts';

describe('time limits of a response', () => {
  it('abort it after a time without a byte', async () => {
    const timeout = new ResponseTimeout({ idleMs: 30, totalMs: 10_000 }, NO_LIMIT);
    await sleep(100);
    assert.deepEqual([timeout.signal.aborted, timeout.reason], [true, 'no data for 0.03 s']);
    timeout.clear();
  });

  it('count the time without a byte anew after every chunk, and the whole time not', async () => {
    const start = performance.now();
    const timeout = new ResponseTimeout({ idleMs: 500, totalMs: 1500 }, NO_LIMIT);
    const sendChunksUntil = async (elapsedMs: number) => {
      while (performance.now() - start < elapsedMs) {
        await sleep(50);
        timeout.restart();
      }
    };
    await sendChunksUntil(800);
    assert.equal(timeout.reason, undefined);
    await sendChunksUntil(1600);
    assert.equal(timeout.reason, 'not complete after 1.5 s');
    timeout.clear();
  });

  it('give no reason where the outer signal aborts', () => {
    const outer = new AbortController();
    const timeout = new ResponseTimeout({ idleMs: 10_000, totalMs: 10_000 }, outer.signal);
    outer.abort();
    assert.deepEqual([timeout.signal.aborted, timeout.reason], [true, undefined]);
    timeout.clear();
  });
});
