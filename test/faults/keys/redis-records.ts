import { setTimeout as sleep } from 'node:timers/promises';
import { generateKey, hashKey } from '../../../api/auth/api-key.ts';
import { redisKeyStore } from '../../../api/auth/key-store-redis.ts';
import { freePort } from '../../support/engine/engine.ts';
import { listeningUrl, run } from '../../support/process.ts';
import { copyOfArchive } from '../archive.ts';
import { Answers } from '../clients/answers.ts';
import { type Answer, keepAlive, OBSERVATIONS, send } from '../clients/client.ts';
import { during, timeToRecovery } from '../clients/traffic.ts';
import type { Fault } from '../fault.ts';
import { type RedisGroup, startWithRedis } from './redis-group.ts';

export const REDIS_RECORDS: readonly Fault<RedisGroup>[] = [
  {
    name: 'One key record is damaged',
    does: 'refuses this key, serves others',
    action: 'a string where the hash of a key belongs; 30 requests with this key beside others',
    expect: { answers: ['200', '401 missing_credentials'], required: ['200'], longestWaitMs: 1000 },
    async run({ redis, service, key }) {
      const damaged = generateKey();
      await redis.admin.set(`apikey:${hashKey(damaged)}`, 'x');
      const answers = new Answers();
      const own = new Answers();
      await during(service.url, answers, [{ key }, { address: '127.0.0.8', pauseMs: 150 }], async () => {
        for (let sent = 0; sent < 30; sent += 1) {
          own.add(await send(service.url, { key: damaged, address: `127.0.1.${sent % 5}` }));
          await sleep(20);
        }
      });
      const wrong = own
        .labels()
        .filter((label) => !['401 invalid_credentials', '429 rate_limited'].includes(label));
      return {
        answers,
        notes: [`damaged key: ${own.labels().join(', ')}`],
        breaches: wrong.map((label) => `damaged key: ${label}`),
      };
    },
  },
  clockFault('back', -3600),
  clockFault('forwards', 3600),
  {
    name: 'Flushed',
    does: 'answers 401 until the key is stored again',
    action: 'FLUSHALL and SCRIPT FLUSH; then the key is stored again',
    expect: {
      answers: ['401 invalid_credentials', '429 rate_limited', '200'],
      required: ['401 invalid_credentials', '200'],
      longestWaitMs: 1000,
      recoveryMs: 1000,
    },
    async run({ redis, service, key }) {
      const keys = redisKeyStore(redis.admin, () => {});
      const record = await keys.find(hashKey(key));
      const answers = new Answers();
      await redis.admin.flushall();
      await redis.admin.script('FLUSH');
      for (let sent = 0; sent < 5; sent += 1) answers.add(await send(service.url, { key }));
      if (record !== undefined) await keys.add(hashKey(key), record);
      const recoveryMs = await timeToRecovery(service.url, { key }, 5000);
      answers.add(await send(service.url, { key }));
      return { answers, ...(recoveryMs !== undefined && { recoveryMs }) };
    },
  },
  {
    name: 'Redis is down when the service starts',
    does: 'answers 503, serves once Redis runs',
    action: 'started without Redis; Redis starts three seconds later',
    expect: {
      answers: ['503 key_store_unavailable'],
      required: ['503 key_store_unavailable'],
      longestWaitMs: 1000,
      recoveryMs: 1500,
    },
    async run({ redis, key }) {
      await redis.admin.call('SAVE');
      await redis.kill('SIGKILL');
      const settings = {
        DATA_DIR: await copyOfArchive(),
        PORT: '0',
        REDIS_URL: redis.url,
        EMBEDDED_CLICKHOUSE_PORT: String(await freePort()),
      };
      const api = run('start', [], settings);
      const answers = new Answers();
      try {
        const url = await listeningUrl(api);
        await during(url, answers, [{ key }], () => sleep(1000));
        await redis.start();
        const stored = redisKeyStore(redis.admin, () => {});
        if ((await stored.list()).length === 0) return { answers, breaches: ['the keys are lost'] };
        const recoveryMs = await timeToRecovery(url, { key }, 10_000);
        return { answers, ...(recoveryMs !== undefined && { recoveryMs }) };
      } finally {
        api.kill('SIGTERM');
        await api.finished;
      }
    },
  },
  {
    name: 'One key on four instances',
    does: 'counts the key across all instances',
    action: 'four services share Redis; 400 requests of one professional key, three times',
    expect: {
      // Without parameters, what is counted within the limit gets 400.
      answers: ['400 invalid_parameter', '429 rate_limited', '200'],
      required: ['400 invalid_parameter', '429 rate_limited', '200'],
      longestWaitMs: 2000,
    },
    async run({ redis }) {
      const services = [
        await startWithRedis(redis),
        await startWithRedis(redis),
        await startWithRedis(redis),
        await startWithRedis(redis),
      ] as const;
      const answers = new Answers();
      const breaches: string[] = [];
      try {
        for (let round = 0; round < 3; round += 1) {
          const key = await services[0].createKey();
          const started = performance.now();
          const passed = await burst(services, key, answers);
          const windows = Math.floor((performance.now() - started) / 1000) + 1;
          if (passed > 100 * windows || passed < 100)
            breaches.push(`${passed} of 400 requests passed in ${windows} windows`);
          const next = await afterRetryAfter(services[0].url, key, answers);
          if (next.status !== 200) breaches.push(`after Retry-After: ${next.label}`);
        }
        return { answers, breaches };
      } finally {
        await Promise.all(services.map((service) => service.stop()));
      }
    },
  },
];

/**
 * A window of a second lasts no longer than two, and only the one in which the clock goes forwards ends early: a key gets
 * its requests of a second twice at most once.
 */
function clockFault(direction: 'back' | 'forwards', seconds: number): Fault<RedisGroup> {
  return {
    name: `The clock of Redis goes ${direction} by an hour`,
    does: 'serves the sandbox key again',
    action:
      'the clock of redis-server is set while a sandbox key asks all the time; another key asks beside it',
    expect: {
      answers: ['200', '429 rate_limited'],
      required: ['200', '429 rate_limited'],
      longestWaitMs: 1000,
    },
    async run({ redis, service, key }) {
      const sandbox = await service.createKey('sandbox');
      const answers = new Answers(({ label, headers }) =>
        label === '429 rate_limited' && headers['retry-after'] !== '1'
          ? `Retry-After: ${headers['retry-after']}`
          : undefined,
      );
      const served: { readonly sent: number; readonly answered: number }[] = [];
      const ask = async (milliseconds: number) => {
        for (const end = performance.now() + milliseconds; performance.now() < end; await sleep(20)) {
          const sent = performance.now();
          const { status } = answers.add(await send(service.url, { key: sandbox }));
          if (status === 200) served.push({ sent, answered: performance.now() });
        }
      };
      await during(service.url, answers, [{ key, pauseMs: 200 }], async () => {
        await ask(1500);
        await redis.clock.set(seconds);
        await ask(4000);
      });
      await redis.clock.set(0);
      // A request is counted between the two times.
      const between = served.slice(1).map(({ sent, answered }, n) => ({
        least: sent - (served[n]?.answered ?? 0),
        most: Math.round(answered - (served[n]?.sent ?? 0)),
      }));
      const waitsAtEnd = performance.now() - (served.at(-1)?.answered ?? 0);
      const early = between.filter(({ most }) => most < 950).length;
      return {
        answers,
        notes: [`after ${between.map(({ most }) => most).join(', ')} ms`],
        breaches: [
          ...(waitsAtEnd > 2200 || between.some(({ least }) => least > 2200)
            ? ['the key stays locked out']
            : []),
          ...(early !== (seconds > 0 ? 1 : 0) ? [`${early} windows ended early`] : []),
        ],
      };
    },
  };
}

/** @returns how many of 400 requests were within the limit */
async function burst(
  services: readonly { readonly url: string }[],
  key: string,
  answers: Answers,
): Promise<number> {
  let passed = 0;
  const lanes = Array.from({ length: 20 }, async (_, lane) => {
    const agent = keepAlive();
    const url = services[lane % services.length]?.url ?? '';
    for (let sent = 0; sent < 20; sent += 1) {
      const { status } = answers.add(await send(url, { key, agent, path: OBSERVATIONS }));
      if (status === 400) passed += 1;
    }
    agent.destroy();
  });
  await Promise.all(lanes);
  return passed;
}

/** Sends requests until one is refused, waits as long as it says, and sends one more. */
async function afterRetryAfter(url: string, key: string, answers: Answers): Promise<Answer> {
  for (let sent = 0; sent < 200; sent += 1) {
    const { status, headers } = answers.add(await send(url, { key, path: OBSERVATIONS }));
    if (status === 429) {
      await sleep(Number(headers['retry-after']) * 1000);
      break;
    }
  }
  return answers.add(await send(url, { key }));
}
