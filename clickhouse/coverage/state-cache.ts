import { LRUCache } from 'lru-cache';
import type { ChangedStations } from './changes.ts';
import type { CoverageState, CoverageStateReader } from './state.ts';

/**
 * The changes that a request needs to know were read at most this long ago: a cached state is at most a second old
 * (D16).
 */
const REFRESH_AFTER_MS = 1000;
/**
 * From this age on a request starts the next refresh and does not wait for it, so that a stream of requests never
 * waits.
 */
const PREFETCH_AFTER_MS = 500;
const PREFETCH_TIMEOUT_MS = 5000;
/** After this time without a refresh another archive may have taken the place of the one that was cached. */
const CLEAR_AFTER_MS = 60_000;
/** A few kB each. */
const MAX_STATIONS = 5000;

/**
 * Caches the coverage state of stations until loaders write about them: a request for a cached station, over whatever
 * range, reads nothing. Archives grow, so an old state claims less than there is (D16); only rows that an operator
 * deletes are claimed for a second longer.
 *
 * Concurrent requests for a station share one read. A failed read fails only the request that started it, because the
 * signal of that request may have caused it; the others start one new read together.
 *
 * @param readChanges which stations loaders have written about since the call before
 */
export function cacheCoverageState(
  read: CoverageStateReader,
  readChanges: (signal: AbortSignal) => Promise<ChangedStations>,
  now: () => number = performance.now.bind(performance),
): CoverageStateReader {
  const cache = new LRUCache<string, Entry>({ max: MAX_STATIONS });
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | undefined;

  async function ensureFresh(signal: AbortSignal): Promise<void> {
    const requestedAt = now();
    while (refreshedAt <= requestedAt - REFRESH_AFTER_MS)
      if (refreshing === undefined) await startRefresh(signal);
      else await hasSucceeded(refreshing, signal);
    if (refreshedAt <= requestedAt - PREFETCH_AFTER_MS && refreshing === undefined)
      startRefresh(AbortSignal.timeout(PREFETCH_TIMEOUT_MS)).catch(() => {});
  }

  function startRefresh(signal: AbortSignal): Promise<void> {
    refreshing = refresh(signal).finally(() => (refreshing = undefined));
    return refreshing;
  }

  async function refresh(signal: AbortSignal): Promise<void> {
    const startedAt = now();
    const changed = await readChanges(signal);
    if (changed === 'all' || startedAt - refreshedAt > CLEAR_AFTER_MS) cache.clear();
    else for (const station of changed) cache.delete(station);
    refreshedAt = startedAt;
  }

  /** Puts the states into the cache while they are read, so that other requests find them. */
  function startRead(stations: readonly string[], signal: AbortSignal): Promise<unknown> {
    const reading = read(stations, signal);
    for (const station of stations) {
      const entry: Entry = reading.then((states) => states.get(station) as CoverageState);
      cache.set(station, entry);
      // A refresh may have removed the entry meanwhile, because the station has changed.
      const ifCached = (action: () => void) => cache.peek(station) === entry && action();
      entry.then(
        (state) => ifCached(() => cache.set(station, state)),
        () => ifCached(() => cache.delete(station)),
      );
    }
    return reading;
  }

  return async (stations, signal) => {
    await ensureFresh(signal);
    for (;;) {
      const cached = new Map(stations.map((station) => [station, cache.get(station)]));
      const unknown = stations.filter((station) => cached.get(station) === undefined);
      const reading = unknown.length > 0 ? startRead(unknown, signal) : undefined;
      const entries = stations.map((station) => (cached.get(station) ?? cache.peek(station)) as Entry);
      await reading;
      const states = Promise.all(entries);
      if (await hasSucceeded(states, signal)) {
        const known = await states;
        return new Map(stations.map((station, n) => [station, known[n] as CoverageState]));
      }
    }
  };
}

type Entry = CoverageState | Promise<CoverageState>;

/** Waits for work that another request started. Throws as soon as `signal` aborts, whatever becomes of the work. */
function hasSucceeded(work: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const settle = (succeeded: boolean) => () => {
      signal.removeEventListener('abort', onAbort);
      resolve(succeeded);
    };
    work.then(settle(true), settle(false));
    if (signal.aborted) onAbort();
  });
}
