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
    const timeout = new ResponseTimeout({ idleMs: 200, totalMs: 400 }, NO_LIMIT);
    const chunks = async (count: number) => {
      for (let chunk = 0; chunk < count; chunk += 1) {
        await sleep(50);
        timeout.restart();
      }
    };
    await chunks(6);
    assert.equal(timeout.reason, undefined);
    await chunks(4);
    assert.equal(timeout.reason, 'not complete after 0.4 s');
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
