import { setTimeout as sleep } from 'node:timers/promises';
import { at } from '../statistics.ts';
import type { Api } from './api.ts';
import type { Query } from './queries.ts';

export const CONNECTIONS = [1, 8, 32] as const;

export type Rate = { readonly perSecond: number; readonly refused: number };

/** Answers a second over so many connections, each of which asks again as soon as it has its answer. */
export async function ratesOf(api: Api, query: Query, seconds: number): Promise<readonly Rate[]> {
  const rates: Rate[] = [];
  for (const connections of CONNECTIONS) {
    const started = performance.now();
    const { answered, errors } = await press(api, () => query, connections, seconds);
    const answers = answered.get(query)?.length ?? 0;
    // What was asked within the time is waited for beyond it.
    rates.push({
      perSecond: (answers * 1000) / (performance.now() - started),
      refused: sum(errors.values()),
    });
  }
  return rates;
}

function sum(counts: Iterable<number>): number {
  return [...counts].reduce((total, count) => total + count, 0);
}

export type Soaked = {
  readonly seconds: number;
  readonly queries: readonly {
    readonly name: string;
    readonly answers: number;
    readonly p50: number;
    readonly p99: number;
  }[];
  /** How often each status or failure was met that is no page. */
  readonly errors: ReadonlyMap<string, number>;
  /** Megabytes of the largest process of the api, once a second. */
  readonly resident: readonly number[];
};

/** 32 connections and all queries mixed, always in the same order of chance. */
export async function soak(api: Api, queries: readonly Query[], seconds: number): Promise<Soaked> {
  let state = 1;
  const any = (): Query => {
    // The minimal standard generator of Park and Miller.
    state = (state * 48_271) % 0x7fffffff;
    return queries[state % queries.length] as Query;
  };
  const resident: number[] = [];
  const pressed = press(api, any, 32, seconds);
  for (let second = 0; second < seconds; second += 1) {
    await sleep(1000);
    resident.push(api.resident().megabytes);
  }
  const { answered, errors } = await pressed;
  return {
    seconds,
    errors,
    resident,
    queries: [...answered].map(([{ name }, times]) => ({
      name,
      answers: times.length,
      p50: at(times, 0.5),
      p99: at(times, 0.99),
    })),
  };
}

async function press(api: Api, next: () => Query, connections: number, seconds: number) {
  const answered = new Map<Query, number[]>();
  const errors = new Map<string, number>();
  const end = performance.now() + seconds * 1000;
  const one = async () => {
    while (performance.now() < end) {
      const query = next();
      const outcome = await api.page(query).catch((error: Error) => error.message);
      if (typeof outcome === 'object' && outcome.status === 200) {
        const times = answered.get(query) ?? [];
        times.push(outcome.ms);
        answered.set(query, times);
      } else {
        const error = typeof outcome === 'object' ? String(outcome.status) : outcome;
        errors.set(error, (errors.get(error) ?? 0) + 1);
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  return { answered, errors };
}
