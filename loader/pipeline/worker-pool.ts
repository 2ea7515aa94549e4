import { setTimeout as sleep } from 'node:timers/promises';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { storageFailure } from '../../clickhouse/errors.ts';
import { groupBy } from '../group-by.ts';
import { backoffSeconds } from '../http/backoff.ts';
import type { Slice } from '../sources/source.ts';
import type { LoadResult } from './load-slice.ts';

/** How often a slice is tried while the archive cannot be reached: about three minutes, then the run ends. */
const STORAGE_ATTEMPTS = 10;
const STORAGE_PAUSE_SECONDS = 0.5;

export type Work = {
  /** Planned when their turn comes. */
  readonly plans: AsyncIterable<readonly Slice[]>;
  readonly load: (slice: Slice) => Promise<LoadResult>;
  /** Slices under way at once: while one is fetched, others are read and written. */
  readonly atOnce: number;
  readonly done: (slice: Slice, loaded: LoadResult) => void;
  /** No new slice is begun once it aborts; the slices under way are finished. */
  readonly noMore: AbortSignal;
  readonly signal: AbortSignal;
};

/** Loads every slice, each once, in order as far as several at once have one. */
export async function runPool(work: Work): Promise<void> {
  const queue = groupsOf(work.plans);
  await Promise.all(
    Array.from({ length: work.atOnce }, async () => {
      while (!work.noMore.aborted) {
        const { value: group, done } = await queue.next();
        if (done) return;
        for (const slice of group) {
          if (work.noMore.aborted) return;
          work.done(slice, await retryStorage(() => work.load(slice), work.signal));
        }
      }
    }),
  );
}

/**
 * Slices of one station and year follow one another, because each settles the types of the whole year; that of the world
 * is settled at its end.
 */
async function* groupsOf(plans: AsyncIterable<readonly Slice[]>): AsyncGenerator<readonly Slice[]> {
  for await (const slices of plans)
    yield* groupBy(slices, ({ station, firstDay }) =>
      station === ALL_STATIONS ? firstDay : `${station} ${firstDay.slice(0, 4)}`,
    ).values();
}

/** An archive that restarts or is busy is waited for; what is done here can be done again at any point. */
export async function retryStorage<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || attempt === STORAGE_ATTEMPTS || storageFailure(error) === 'unknown') throw error;
      await sleep(backoffSeconds(attempt, STORAGE_PAUSE_SECONDS) * 1000, undefined, { signal });
    }
  }
}
