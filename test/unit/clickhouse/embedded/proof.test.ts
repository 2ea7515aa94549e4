import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { engineFile, writeJson } from '../../../../clickhouse/embedded/engine-file.ts';
import { startTimeOf } from '../../../../clickhouse/embedded/engine-process.ts';
import { EngineAgent, makeProof } from '../../../../clickhouse/embedded/proof.ts';
import { listenOnFreePort } from '../../../support/listen.ts';

describe('connections to the embedded engine', () => {
  it('that is gone end every request, also those that wait for a connection', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'proof-'));
    const proof = makeProof();
    let statements = 0;
    const engine = createServer((asked, response) => {
      if (asked.url === proof.path) response.setHeader('X-History-Proof', proof.answer).end();
      // No statement is answered.
      else statements += 1;
    });
    const port = await listenOnFreePort(engine);
    const record = { pid: process.pid, startTime: startTimeOf(process.pid), instance: 'a', database: 'a' };
    await writeJson(engineFile(dataDir), { ...record, port, proof });
    const agent = new EngineAgent(dataDir, { keepAlive: true, maxSockets: 1 });
    const ask = () => {
      const statement = request({ host: '127.0.0.1', port, agent }).end();
      return once(statement, 'error').then(([error]) => error.code);
    };
    const first = ask();
    while (statements === 0) await sleep(10);
    const waiting = [ask(), ask(), ask()];
    engine.close();
    engine.closeAllConnections();
    assert.equal(await first, 'ECONNRESET');
    assert.deepEqual(await Promise.all(waiting), ['ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED']);
    await rm(dataDir, { recursive: true });
  });
});
