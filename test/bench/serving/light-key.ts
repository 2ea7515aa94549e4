import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, requestPage } from '../read/api.ts';
import { median } from '../statistics.ts';
import type { FreshRange } from './fresh-ranges.ts';

export const HEAVY_CONNECTIONS = 50;

export type LightKey = {
  /** Median in milliseconds of a page of 1,000 records, which is not in memory, for a key that asks once a second. */
  readonly alone: number;
  /** The same while another key asks for such pages over 50 connections. */
  readonly beside: number;
  /** Pages a second that the other key got meanwhile. */
  readonly heavyPagesPerSecond: number;
};

const REQUESTS = 15;
const WARM_UP_MS = 2000;

export async function measureLightKey(
  api: Api,
  stations: readonly string[],
  freshRange: FreshRange,
): Promise<LightKey> {
  const [light, heavy] = [api.authorization(), api.authorization()];
  const station = (n: number) => stations[n % stations.length] ?? '';
  const askOnceASecond = async () => {
    const times: number[] = [];
    for (let n = 0; n < REQUESTS; n += 1) {
      const started = performance.now();
      times.push((await requestPage(api, freshRange('light', station(n)), { authorization: light })).ms);
      await sleep(Math.max(0, 1000 - (performance.now() - started)));
    }
    return median(times);
  };

  const alone = await askOnceASecond();
  let heavyPages = 0;
  let isStopped = false;
  const connection = async (_: unknown, n: number) => {
    while (!isStopped) {
      const { status, headers } = await api.page(freshRange('heavy', station(n)), { authorization: heavy });
      if (status === 200) heavyPages += 1;
      else await sleep(Number(headers['retry-after'] ?? 1) * 1000);
    }
  };
  const connections = Promise.all(Array.from({ length: HEAVY_CONNECTIONS }, connection));
  try {
    await sleep(WARM_UP_MS);
    const [pagesBefore, started] = [heavyPages, performance.now()];
    const beside = await askOnceASecond();
    const seconds = (performance.now() - started) / 1000;
    return { alone, beside, heavyPagesPerSecond: (heavyPages - pagesBefore) / seconds };
  } finally {
    isStopped = true;
    await connections;
  }
}
