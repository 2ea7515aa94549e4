import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { redisKeyStore } from '../../../api/auth/key-store-redis.ts';
import { freePort } from '../../support/engine/engine.ts';
import { type Service, startService } from '../service.ts';

/** A Redis that a fault can kill, freeze and start again. */
export type RedisServer = {
  readonly url: string;
  /** A connection of the test. */
  readonly admin: Redis;
  /** Starts it over what it saved. @returns when it listens, loaded or not */
  start(...options: readonly string[]): Promise<void>;
  kill(signal: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
};

async function startRedis(): Promise<RedisServer> {
  const dir = await mkdtemp(join(tmpdir(), 'faults-redis-'));
  const port = await freePort();
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
    child = spawn('redis-server', args, { stdio: 'ignore' });
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
    url: `redis://127.0.0.1:${port}`,
    admin,
    start,
    kill,
    async stop() {
      admin.disconnect();
      await kill('SIGKILL');
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** What the faults share: Redis, and a service that keeps its keys there. */
export type RedisGroup = { readonly redis: RedisServer; readonly service: Service; readonly key: string };

export async function startRedisGroup(): Promise<RedisGroup> {
  const redis = await startRedis();
  const service = await startWithRedis(redis);
  return { redis, service, key: await service.createKey() };
}

function startWithRedis(redis: RedisServer) {
  return startService({
    settings: { REDIS_URL: redis.url },
    keys: redisKeyStore(redis.admin, () => {}),
  });
}

export async function stopRedisGroup({ redis, service }: RedisGroup): Promise<void> {
  await service.stop();
  await redis.stop();
}
