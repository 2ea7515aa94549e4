import { setTimeout as sleep } from 'node:timers/promises';
import { Answers } from '../clients/answers.ts';
import { type Answer, keepAlive, OBSERVATIONS, send } from '../clients/client.ts';
import type { Fault } from '../fault.ts';
import { type RedisGroup, startWithRedis } from './redis-server.ts';

export const ONE_KEY_ON_FOUR_INSTANCES: Fault<RedisGroup> = {
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
};

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
