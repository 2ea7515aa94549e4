import { LRUCache } from 'lru-cache';
import { LogicalClock, latest, type Moment, START } from '../../concurrency/logical-clock.ts';
import { SingleFlight, waitForSuccess } from '../../concurrency/single-flight.ts';
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

/** States of stations, and the moment at which the last of them was read. */
export type CachedStates = {
  readonly states: ReadonlyMap<string, CoverageState>;
  readonly readAt: Moment;
};

export type CoverageStateCache = {
  read(stations: readonly string[], signal: AbortSignal): Promise<CachedStates>;
  readonly readStates: CoverageStateReader;
  /** The states where none has to be read. */
  peek(stations: readonly string[]): CachedStates | undefined;
  /** The states as they were read, where all are in memory: what loaders have changed since then is not asked for. */
  recall(stations: readonly string[]): CachedStates | undefined;
  /** For estimates: as they were read, or else read. */
  readonly recallStates: CoverageStateReader;
  /** Orders the reads of states, and whatever is combined with them. */
  readonly clock: LogicalClock;
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
  const clock = new LogicalClock();
  let refreshedAt = Number.NEGATIVE_INFINITY;
  const refreshing = new SingleFlight<void>();

  async function ensureFresh(signal: AbortSignal): Promise<void> {
    const requestedAt = now();
    while (!isFresh(requestedAt)) await refreshing.joinUntilSuccess(refresh, signal);
    prefetch(requestedAt);
  }

  function isFresh(requestedAt: number): boolean {
    return refreshedAt > requestedAt - REFRESH_AFTER_MS;
  }

  function prefetch(requestedAt: number): void {
    if (refreshedAt <= requestedAt - PREFETCH_AFTER_MS && !refreshing.isRunning)
      refreshing.join(() => refresh(AbortSignal.timeout(PREFETCH_TIMEOUT_MS))).catch(() => {});
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
    const reading = read(stations, signal).then((states) => ({ states, readAt: clock.tick() }));
    for (const station of stations) {
      const entry = reading.then((found) => ({
        state: found.states.get(station) as CoverageState,
        readAt: found.readAt,
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
      const known = recall(stations);
      if (known !== undefined) return known;
      const cached = new Map(stations.map((station) => [station, cache.get(station)]));
      const unknown = stations.filter((station) => cached.get(station) === undefined);
      const reading = unknown.length > 0 ? startRead(unknown, signal) : undefined;
      const entries = stations.map((station) => (cached.get(station) ?? cache.peek(station)) as Entry);
      await reading;
      const states = Promise.all(entries);
      if (await waitForSuccess(states, signal)) return toCachedStates(stations, await states);
    }
  }

  function recall(stations: readonly string[]): CachedStates | undefined {
    if (now() - refreshedAt > CLEAR_AFTER_MS) return undefined;
    const entries: CachedState[] = [];
    for (const station of stations) {
      const entry = cache.get(station);
      if (entry === undefined || entry instanceof Promise) return undefined;
      entries.push(entry);
    }
    return toCachedStates(stations, entries);
  }

  return {
    read: readCached,
    readStates: async (stations, signal) => (await readCached(stations, signal)).states,
    peek(stations) {
      const requestedAt = now();
      const states = isFresh(requestedAt) ? recall(stations) : undefined;
      if (states !== undefined) prefetch(requestedAt);
      return states;
    },
    recall,
    recallStates: async (stations, signal) =>
      (recall(stations) ?? (await readCached(stations, signal))).states,
    clock,
  };
}

type CachedState = { readonly state: CoverageState; readonly readAt: Moment };
type Entry = CachedState | Promise<CachedState>;

function toCachedStates(stations: readonly string[], entries: readonly CachedState[]): CachedStates {
  let readAt = START;
  const states = new Map<string, CoverageState>();
  for (const [n, entry] of entries.entries()) {
    states.set(stations[n] as string, entry.state);
    readAt = latest(readAt, entry.readAt);
  }
  return { states, readAt };
}
