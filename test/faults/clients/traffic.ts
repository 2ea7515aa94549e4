import { setTimeout as sleep } from 'node:timers/promises';
import type { Answers } from './answers.ts';
import { type Answer, type ClientRequest, send } from './client.ts';

/** Clients that repeat their request, with a pause after each answer, while `work` runs. */
export async function during<T>(
  url: string,
  answers: Answers,
  clients: readonly (ClientRequest & { readonly pauseMs?: number })[],
  work: () => Promise<T>,
): Promise<T> {
  let isDone = false;
  const loops = clients.map(async ({ pauseMs = 50, ...request }) => {
    while (!isDone) {
      answers.add(await send(url, request));
      await sleep(pauseMs);
    }
  });
  try {
    return await work();
  } finally {
    isDone = true;
    await Promise.all(loops);
  }
}

/** Repeats the request until it is answered with 200. @returns the time in milliseconds, undefined after `limitMs` */
export async function timeToRecovery(
  url: string,
  request: ClientRequest,
  limitMs: number,
): Promise<number | undefined> {
  return timeUntil(async () => (await send(url, request)).status === 200, limitMs);
}

export async function timeUntil(
  condition: () => boolean | Promise<boolean>,
  limitMs: number,
): Promise<number | undefined> {
  const started = performance.now();
  while (performance.now() - started < limitMs) {
    if (await condition()) return performance.now() - started;
    await sleep(25);
  }
  return undefined;
}

/** Sends all requests at the same time. */
export async function atOnce(
  url: string,
  answers: Answers,
  requests: readonly ClientRequest[],
): Promise<readonly Answer[]> {
  return Promise.all(requests.map(async (request) => answers.add(await send(url, request))));
}
