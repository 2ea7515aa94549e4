import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { openRelay, type Relay } from './relay.ts';
import { newFolder } from './test-run.ts';

/** A real Redis behind a relay, which can interrupt the connection. */
export type TestRedis = Omit<Relay, 'port'> & {
  readonly url: string;
  /** Of the server itself: what `openRedis` takes. */
  readonly directUrl: string;
  stop(): Promise<void>;
};

/** Starts `redis-server` from the path. The relay listens on a free port. */
export async function startTestRedis(): Promise<TestRedis> {
  const server = await startServer();
  const relay = await openRelay({ path: server.path });
  return {
    ...relay,
    url: `redis://127.0.0.1:${relay.port}`,
    directUrl: server.path,
    async stop() {
      await relay.refuse();
      await server.stop();
    },
  };
}

/** On a Unix socket in a folder of its own: so the server needs no free port. */
async function startServer() {
  const dir = newFolder();
  const path = join(dir, 'socket');
  const options = ['--port', '0', '--unixsocket', path, '--save', '', '--appendonly', 'no', '--dir', dir];
  const server = spawn('redis-server', options, { stdio: 'ignore' });
  const exit = once(server, 'exit');
  try {
    await Promise.race([once(server, 'spawn'), exit]);
  } catch {
    throw new Error(
      'These tests need Redis: put redis-server on the path (Debian: apt-get install -y redis-server).',
    );
  }
  await Promise.race([
    waitUntilReady(path),
    exit.then(() => Promise.reject(new Error('redis-server exited while it was starting'))),
  ]);
  return {
    path,
    async stop() {
      server.kill();
      await exit;
    },
  };
}

async function waitUntilReady(path: string): Promise<void> {
  const probe = new Redis({ path, retryStrategy: () => 20, maxRetriesPerRequest: null, protocol: 2 });
  probe.on('error', () => {});
  await probe.ping().finally(() => probe.disconnect());
}
