import { LRUCache } from 'lru-cache';
import { hasSucceeded } from '../../wait-for-read.ts';
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

/** States of stations, and the number of the newest read among them. */
export type CachedStates = {
  readonly states: ReadonlyMap<string, CoverageState>;
  readonly readNumber: number;
};

export type CoverageStateCache = {
  read(stations: readonly string[], signal: AbortSignal): Promise<CachedStates>;
  readonly readStates: CoverageStateReader;
  /** The states where none has to be read. */
  peek(stations: readonly string[]): CachedStates | undefined;
  /**
   * Reads are numbered in the order in which they end. Reports that are read after this call are as new as each state
   * whose number is at most what it returned.
   */
  lastReadNumber(): number;
  /** Numbers a read of something else that a state was combined with. */
  nextReadNumber(): number;
};

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
): CoverageStateCache {
  const cache = new LRUCache<string, Entry>({ max: MAX_STATIONS });
  let readNumber = 0;
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | undefined;

  async function ensureFresh(signal: AbortSignal): Promise<void> {
    const requestedAt = now();
    while (!isFresh(requestedAt))
      if (refreshing === undefined) await startRefresh(signal);
      else await hasSucceeded(refreshing, signal);
    prefetch(requestedAt);
  }

  function isFresh(requestedAt: number): boolean {
    return refreshedAt > requestedAt - REFRESH_AFTER_MS;
  }

  function prefetch(requestedAt: number): void {
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
    const reading = read(stations, signal).then((states) => {
      readNumber += 1;
      return { states, readNumber };
    });
    for (const station of stations) {
      const entry = reading.then((found) => ({
        state: found.states.get(station) as CoverageState,
        readNumber: found.readNumber,
      }));
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

  async function readCached(stations: readonly string[], signal: AbortSignal): Promise<CachedStates> {
    await ensureFresh(signal);
    for (;;) {
      const cached = new Map(stations.map((station) => [station, cache.get(station)]));
      const unknown = stations.filter((station) => cached.get(station) === undefined);
      const reading = unknown.length > 0 ? startRead(unknown, signal) : undefined;
      const entries = stations.map((station) => (cached.get(station) ?? cache.peek(station)) as Entry);
      await reading;
      const states = Promise.all(entries);
      if (await hasSucceeded(states, signal)) return toCachedStates(stations, await states);
    }
  }

  return {
    read: readCached,
    readStates: async (stations, signal) => (await readCached(stations, signal)).states,
    peek(stations) {
      const requestedAt = now();
      if (!isFresh(requestedAt)) return undefined;
      const entries: NumberedState[] = [];
      for (const station of stations) {
        const entry = cache.get(station);
        if (entry === undefined || entry instanceof Promise) return undefined;
        entries.push(entry);
      }
      prefetch(requestedAt);
      return toCachedStates(stations, entries);
    },
    lastReadNumber: () => readNumber,
    nextReadNumber: () => ++readNumber,
  };
}

type NumberedState = { readonly state: CoverageState; readonly readNumber: number };
type Entry = NumberedState | Promise<NumberedState>;

function toCachedStates(stations: readonly string[], entries: readonly NumberedState[]): CachedStates {
  let readNumber = 0;
  const states = new Map<string, CoverageState>();
  for (const [n, entry] of entries.entries()) {
    states.set(stations[n] as string, entry.state);
    readNumber = Math.max(readNumber, entry.readNumber);
  }
  return { states, readNumber };
}
