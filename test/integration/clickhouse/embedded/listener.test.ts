import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { answersPing, listenerAt } from '../../../../clickhouse/embedded/listener.ts';
import { listenOnFreePort } from '../../../support/listen.ts';

describe('a listener that accepts connections and sends nothing', () => {
  let server: Server;
  let port: number;
  let collecting: NodeJS.Timeout;
  beforeEach(async () => {
    server = createServer();
    port = await listenOnFreePort(server);
    setFlagsFromString('--expose-gc');
    // A time limit must survive a garbage collection.
    collecting = setInterval(runInNewContext('gc'), 100);
  });
  afterEach(() => {
    clearInterval(collecting);
    server.close();
  });

  async function secondsOf(work: () => Promise<unknown>): Promise<number> {
    const start = performance.now();
    await work();
    return (performance.now() - start) / 1000;
  }

  it('is something else than an engine, and answers no ping, after five seconds', async () => {
    const { signal } = new AbortController();
    const seconds = await secondsOf(async () => {
      const asked = [answersPing(port, signal), listenerAt(port, false)];
      assert.deepEqual(await Promise.all(asked), [false, 'something else']);
    });
    assert.ok(seconds > 4.9 && seconds < 15, `${seconds} s`);
  });

  it('is not waited for after the signal', async () => {
    const signal = AbortSignal.abort();
    const seconds = await secondsOf(async () => assert.equal(await answersPing(port, signal), false));
    assert.ok(seconds < 4, `${seconds} s`);
  });
});
