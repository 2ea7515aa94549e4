import { setTimeout as sleep } from 'node:timers/promises';
import { redisKeyStore } from '../../../api/auth/key-store-redis.ts';
import { Answers } from '../clients/answers.ts';
import { send } from '../clients/client.ts';
import { during, timeToRecovery } from '../clients/traffic.ts';
import type { Expectation, Fault, Outcome } from '../fault.ts';
import { type Service, startService } from '../service.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

export type RedisGroup = { readonly redis: RedisServer; readonly service: Service; readonly key: string };

export async function startRedisGroup(): Promise<RedisGroup> {
  const redis = await startRedis();
  const service = await startWithRedis(redis);
  return { redis, service, key: await service.createKey() };
}

export function startWithRedis(redis: RedisServer) {
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
  recoveryMs: 1500,
};

/** How long the fault lasts while clients send requests. */
const OUTAGE_MS = 1500;

type Breakage = {
  readonly name: string;
  readonly action: string;
  /** @returns what ends the fault */
  readonly begin: (redis: RedisServer) => Promise<() => Promise<unknown>>;
};

/** Clients with a key, without one, and a probe send requests while Redis is broken. */
export function outage({ name, action, begin }: Breakage): Fault<RedisGroup> {
  return {
    name,
    does: 'answers 503',
    action,
    expect: OUTAGE,
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
      const breaches = [
        ...(served > 0 ? [`${served} requests were served without a count`] : []),
        ...probes
          .filter((label) => label !== '503 key_store_unavailable')
          .map((label) => `/readyz: ${label}`),
        ...anonymous
          .labels()
          .filter((label) => label !== '503 key_store_unavailable')
          .map((label) => `without a key: ${label}`),
        ...(anonymous.longestMs > 1000
          ? [`without a key: waited ${Math.round(anonymous.longestMs)} ms`]
          : []),
        ...(ready === undefined ? ['/readyz is not ready again'] : []),
      ];
      return { answers, breaches, ...(recoveryMs !== undefined && { recoveryMs }) };
    },
  };
}
