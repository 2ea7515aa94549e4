import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, it } from 'mocha';
import { send } from '../../../faults/clients/client.ts';
import { ROOT } from '../../../support/process.ts';
import { repetitions } from '../../../support/repetitions.ts';

const SERVERS = repetitions({ usual: 1, long: 2 });
const CLIENTS = 4;
const STOPS = repetitions({ usual: 10, long: 50 });

/** Opens a new connection for each request, as soon as the last one was answered, until the port is closed. */
async function ask(url: string, path: string): Promise<readonly string[]> {
  const failures: string[] = [];
  for (let asked = 0; ; asked += 1) {
    const { label } = await send(url, { path });
    if (label === '200') continue;
    // It never listened, or it broke a connection.
    if (label !== 'ECONNREFUSED' || asked === 0) failures.push(label);
    return failures;
  }
}

/** Servers that stop one after another in a process of their own. */
async function stopUnderConnections(stops: number): Promise<readonly string[]> {
  const program = 'test/support/api/draining-server-process.ts';
  const child = spawn(process.execPath, ['--import', 'tsx', program, `${stops}`, `${CLIENTS}`], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const clients: Promise<readonly string[]>[] = [];
  createInterface(child.stdout).on('line', (port) => {
    for (let n = 0; n < CLIENTS; n += 1) clients.push(ask(`http://127.0.0.1:${port}`, `/${n}`));
  });
  await once(child, 'close');
  assert.equal(clients.length, stops * CLIENTS);
  return (await Promise.all(clients)).flat();
}

describe('a server that stops', () => {
  it(`resets no connection in ${STOPS} stops while clients open new ones`, async () => {
    const runs = Array.from({ length: SERVERS }, () => stopUnderConnections(STOPS / SERVERS));
    assert.deepEqual((await Promise.all(runs)).flat(), []);
  });
});
