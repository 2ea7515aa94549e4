import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { redisKeyStore } from '../../../api/auth/key-store-redis.ts';
import { freePort } from '../../support/engine/engine.ts';
import { listeningUrl, run } from '../../support/process.ts';
import { copyOfArchive } from '../archive.ts';
import { Answers, during, timeToRecovery } from '../clients/answers.ts';
import { send } from '../clients/client.ts';
import type { Expectation, Fault, Outcome } from '../fault.ts';
import { enginePort, type Service, startService } from '../service.ts';

/** A Redis that a fault can kill, freeze and start again. */
type RedisServer = {
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

/** Redis is down: 503 within a second, never served uncounted, and service within a second of its return (D30). */
const OUTAGE: Expectation = {
  answers: ['200', '503 key_store_unavailable'],
  required: ['503 key_store_unavailable'],
  longestWaitMs: 1000,
};

const RECOVERY_MS = 1500;

/** How long the fault lasts while clients send requests. */
const OUTAGE_MS = 1500;

type Breakage = {
  readonly name: string;
  readonly action: string;
  /** @returns what ends the fault */
  readonly begin: (redis: RedisServer) => Promise<() => Promise<unknown>>;
};

/** Clients with a key, without one, and a probe send requests while Redis is broken. */
function outage({ name, action, begin }: Breakage): Fault<RedisGroup> {
  return {
    name,
    action,
    expect: OUTAGE,
    recoveryMs: RECOVERY_MS,
    async run({ redis, service, key }): Promise<Outcome> {
      const answers = new Answers();
      const anonymous = new Answers();
      const probes: string[] = [];
      const end = await begin(redis);
      try {
        await during(service.url, anonymous, [{ address: '127.0.0.7', pauseMs: 200 }], () =>
          during(service.url, answers, [{ key }, { key }], async () => {
            await sleep(OUTAGE_MS / 2);
            probes.push((await send(service.url, { path: '/readyz' })).label);
            await sleep(OUTAGE_MS / 2);
          }),
        );
      } finally {
        await end();
      }
      const recoveryMs = await timeToRecovery(service.url, { key }, 10_000);
      const ready = await timeToRecovery(service.url, { path: '/readyz' }, 5000);
      const served = answers.count('200');
      const others = [...probes, ...anonymous.labels()];
      const waitedMs = Math.round(anonymous.longestMs);
      return {
        answers,
        recoveryMs,
        breaches: [
          served > 0 && `${served} requests were served without a count`,
          ...others.map(
            (label) => label !== '503 key_store_unavailable' && `/readyz or without a key: ${label}`,
          ),
          waitedMs > 1000 && `without a key: waited ${waitedMs} ms`,
          ready === undefined && '/readyz is not ready again',
        ],
      };
    },
  };
}

/** So many keys, each loaded with this delay, that Redis answers LOADING for two seconds. */
const LOADING = { keys: 4000, delayMicroseconds: 500 };

export const REDIS_FAULTS: readonly Fault<RedisGroup>[] = [
  outage({
    name: 'Killed',
    action: 'SIGKILL under traffic; started again with its data after 1.5 s',
    async begin(redis) {
      await saveAndKill(redis);
      return () => redis.start();
    },
  }),
  outage({
    name: 'Frozen',
    action: 'SIGSTOP, then SIGCONT',
    async begin({ kill }) {
      await kill('SIGSTOP');
      return () => kill('SIGCONT');
    },
  }),
  outage({
    name: 'Paused',
    action: 'CLIENT PAUSE ALL for 2.5 s',
    async begin({ admin }) {
      await admin.call('CLIENT', 'PAUSE', '2500', 'ALL');
      // While the pause lasts, CLIENT UNPAUSE waits too.
      return () => admin.ping();
    },
  }),
  outage({
    name: 'Loading',
    action: 'killed, then started with data that takes two seconds to load: LOADING',
    async begin(redis) {
      const filler = Array.from({ length: LOADING.keys }, (_, at) => [`filler:${at}`, 'x']).flat();
      await redis.admin.mset(...filler);
      await saveAndKill(redis);
      const delay = ['--key-load-delay', String(LOADING.delayMicroseconds)];
      await redis.start(...delay, '--loading-process-events-interval-bytes', '1024');
      return async () => {
        while (/loading:1/.test(await redis.admin.info('persistence'))) await sleep(20);
      };
    },
  }),
  {
    name: 'Redis is down when the service starts',
    action: 'started without Redis; Redis starts three seconds later',
    expect: {
      answers: ['503 key_store_unavailable'],
      required: ['503 key_store_unavailable'],
      longestWaitMs: 1000,
    },
    recoveryMs: RECOVERY_MS,
    async run({ redis, key }) {
      await redis.admin.call('SAVE');
      await redis.kill('SIGKILL');
      const settings = {
        DATA_DIR: await copyOfArchive(),
        PORT: '0',
        REDIS_URL: redis.url,
        ...(await enginePort()),
      };
      const api = run('start', [], settings);
      const answers = new Answers();
      try {
        const url = await listeningUrl(api);
        await during(url, answers, [{ key }], () => sleep(1000));
        await redis.start();
        const stored = redisKeyStore(redis.admin, () => {});
        if ((await stored.list()).length === 0) return { answers, breaches: ['the keys are lost'] };
        return { answers, recoveryMs: await timeToRecovery(url, { key }, 10_000) };
      } finally {
        api.kill('SIGTERM');
        await api.finished;
      }
    },
  },
];

async function saveAndKill({ admin, kill }: RedisServer): Promise<void> {
  await admin.call('SAVE');
  await kill('SIGKILL');
}
