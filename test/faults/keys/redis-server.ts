import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../../support/engine/engine.ts';
import { openRelay, type Relay } from '../../support/relay.ts';
import { type SteppedClock, steppedClock } from './stepped-clock.ts';

/** A Redis that a fault can kill, freeze and start again; the service reaches it through the relay. */
export type RedisServer = {
  readonly relay: Relay;
  readonly url: string;
  /** A connection of the test, which does not pass the relay. */
  readonly admin: Redis;
  readonly clock: SteppedClock;
  /** Starts it over what it saved. @returns when it listens, loaded or not */
  start(...options: readonly string[]): Promise<void>;
  kill(signal: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
};

export async function startRedis(): Promise<RedisServer> {
  const dir = await mkdtemp(join(tmpdir(), 'faults-redis-'));
  const port = await freePort();
  const clock = await steppedClock(dir);
  const relay = await openRelay({ host: '127.0.0.1', port });
  let child: ChildProcess | undefined;
  const admin = new Redis({
    port,
    lazyConnect: true,
    protocol: 2,
    enableReadyCheck: false,
    maxRetriesPerRequest: null,
    retryStrategy: () => 20,
  });
  admin.on('error', () => {});

  async function start(...options: readonly string[]): Promise<void> {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', ...options];
    child = spawn('redis-server', args, {
      stdio: 'ignore',
      env: { ...process.env, ...clock.environment },
    });
    await once(child, 'spawn');
    // While it loads its data, only some commands are answered, INFO among them.
    await admin.info('persistence');
  }
  async function kill(signal: NodeJS.Signals): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    if (signal === 'SIGKILL' || signal === 'SIGTERM') await once(child, 'exit');
  }
  await start();
  return {
    relay,
    url: `redis://127.0.0.1:${relay.port}`,
    admin,
    clock,
    start,
    kill,
    async stop() {
      admin.disconnect();
      await relay.refuse();
      await kill('SIGKILL');
      await rm(dir, { recursive: true, force: true });
    },
  };
}
