import { setTimeout as sleep } from 'node:timers/promises';
import { median, quantile } from '../../statistics.ts';
import type { Api } from '../api.ts';
import type { Query } from '../queries.ts';
import { sendConcurrently } from './concurrent-requests.ts';

export const SOAK_CONNECTIONS = 32;

export type SoakResult = {
  readonly seconds: number;
  readonly queries: readonly {
    readonly name: string;
    readonly pages: number;
    readonly p50: number;
    readonly p99: number;
  }[];
  /** How often each status other than 200, or failure, occurred. */
  readonly errors: ReadonlyMap<string, number>;
  /** Megabytes of the largest process of the api, once a second. */
  readonly resident: readonly number[];
};

/** All queries mixed, in a pseudo-random order that is the same in every run. */
export async function soak(api: Api, queries: readonly Query[], seconds: number): Promise<SoakResult> {
  let state = 1;
  const nextQuery = (): Query => {
    // The minimal standard generator of Park and Miller.
    state = (state * 48_271) % 0x7fffffff;
    return queries[state % queries.length] as Query;
  };
  const resident: number[] = [];
  const sending = sendConcurrently(api, nextQuery, SOAK_CONNECTIONS, seconds);
  for (let second = 0; second < seconds; second += 1) {
    await sleep(1000);
    resident.push(api.resident().megabytes);
  }
  const { times, errors } = await sending;
  return {
    seconds,
    errors,
    resident,
    queries: [...times].map(([{ name }, ms]) => ({
      name,
      pages: ms.length,
      p50: median(ms),
      p99: quantile(ms, 0.99),
    })),
  };
}
