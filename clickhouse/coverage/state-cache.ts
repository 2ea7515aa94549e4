import { LRUCache } from 'lru-cache';
import { type Archive, canceledBy } from '../archive.ts';
import { LogicalClock, type Moment, SingleFlight, START, waitForSuccess } from '../concurrency.ts';
import type { ServedPart } from '../statements/served-parts.ts';
import { ArchiveChanges } from './changes.ts';
import type { CoverageState, CoverageStates } from './rules.ts';
import { readCoverageStates } from './state.ts';

/** A cached state is at most this old (D16). */
const REFRESH_AFTER_MS = 1000;
/** From this age on, a request starts the next refresh and does not wait for it. */
const PREFETCH_AFTER_MS = 500;
const PREFETCH_TIMEOUT_MS = 5000;
/** After this long without a refresh, a different archive may have replaced the cached one. */
const CLEAR_AFTER_MS = 60_000;
/** A state takes a few kB. */
const MAX_STATIONS_IN_MEMORY = 5000;

export type CachedStates = {
  readonly states: CoverageStates;
  readonly readAt: Moment;
  /** The parts of the tables as they were at most a second ago; undefined if unknown. */
  readonly parts?: readonly ServedPart[] | undefined;
};

/**
 * Caches the coverage state of stations until loaders write about them. Archives grow, so an old state claims less than there
 * is (D16); only rows that an operator deletes are claimed for up to a second longer.
 *
 * Concurrent requests for a station share one read. A failed one fails only the request that started it, whose signal may
 * have caused it; the others start one new read together.
 */
export class CoverageStateCache {
  /** Orders reads of states and whatever is combined with them. */
  readonly clock = new LogicalClock();
  readonly #cache = new LRUCache<string, Entry>({ max: MAX_STATIONS_IN_MEMORY });
  readonly #refreshing = new SingleFlight<void>();
  readonly #archive: Archive;
  readonly #changes: Changes;
  readonly #now: () => number;
  #refreshedAt = Number.NEGATIVE_INFINITY;

  constructor(
    archive: Archive,
    now: () => number = performance.now.bind(performance),
    changes: Changes = new ArchiveChanges(archive),
  ) {
    this.#archive = archive;
    this.#now = now;
    this.#changes = changes;
  }

  peek(stations: readonly string[]): CachedStates | undefined {
    const requestedAt = this.#now();
    const states = this.#isFresh(requestedAt) ? this.recall(stations) : undefined;
    if (states !== undefined) this.#prefetch(requestedAt);
    return states;
  }

  /** The states as read, if all are in memory; does not check what loaders have changed since. */
  recall(stations: readonly string[]): CachedStates | undefined {
    if (this.#now() - this.#refreshedAt > CLEAR_AFTER_MS) return undefined;
    const entries: CachedState[] = [];
    for (const station of stations) {
      const entry = this.#cache.get(station);
      if (entry === undefined || entry instanceof Promise) return undefined;
      entries.push(entry);
    }
    return toCachedStates(stations, entries);
  }

  /** The states; changes by loaders were read at most a second ago. */
  async current(stations: readonly string[], signal: AbortSignal): Promise<CachedStates> {
    await this.#ensureFresh(signal);
    for (;;) {
      const known = this.recall(stations);
      if (known !== undefined) return { ...known, parts: this.#changes.parts };
      const cached = new Map(stations.map((station) => [station, this.#cache.get(station)]));
      const unknown = stations.filter((station) => cached.get(station) === undefined);
      const reading = unknown.length > 0 ? this.#startRead(unknown, signal) : undefined;
      const entries = stations.map((station) => (cached.get(station) ?? this.#cache.peek(station)) as Entry);
      await reading;
      const states = Promise.all(entries);
      if (await waitForSuccess(states, signal)) return toCachedStates(stations, await states);
    }
  }

  async #ensureFresh(signal: AbortSignal): Promise<void> {
    const requestedAt = this.#now();
    while (!this.#isFresh(requestedAt))
      await this.#refreshing.joinUntilSuccess(() => this.#refresh(signal), signal);
    this.#prefetch(requestedAt);
  }

  #isFresh(requestedAt: number): boolean {
    return this.#refreshedAt > requestedAt - REFRESH_AFTER_MS;
  }

  #prefetch(requestedAt: number): void {
    if (this.#refreshedAt <= requestedAt - PREFETCH_AFTER_MS && this.#refreshing.running === undefined)
      this.#refreshing.join(() => this.#refresh(AbortSignal.timeout(PREFETCH_TIMEOUT_MS))).catch(() => {});
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    const startedAt = this.#now();
    const changed = await this.#changes.read(signal);
    if (changed === 'all' || startedAt - this.#refreshedAt > CLEAR_AFTER_MS) this.#cache.clear();
    else for (const station of changed) this.#cache.delete(station);
    this.#refreshedAt = startedAt;
  }

  /** Caches the states while they are being read, so that other requests find them. */
  #startRead(stations: readonly string[], signal: AbortSignal): Promise<unknown> {
    const reading = readCoverageStates(canceledBy(signal, this.#archive), stations).then((states) => ({
      states,
      readAt: this.clock.tick(),
    }));
    for (const station of stations) {
      const entry = reading.then(({ states, readAt }) => {
        const state = states.get(station) as CoverageState;
        // A change of its hidden reports counts as a change of the station, so the state is read again.
        const hidden = this.#changes.hidden?.get(station);
        return { state: hidden === undefined ? state : { ...state, hidden }, readAt };
      });
      this.#cache.set(station, entry);
      // A refresh may have removed the entry because the station changed.
      const isCached = () => this.#cache.peek(station) === entry;
      entry.then(
        (state) => isCached() && this.#cache.set(station, state),
        () => isCached() && this.#cache.delete(station),
      );
    }
    return reading;
  }
}

type Changes = Pick<ArchiveChanges, 'read'> & Partial<Pick<ArchiveChanges, 'hidden' | 'parts'>>;
type CachedState = { readonly state: CoverageState; readonly readAt: Moment };
type Entry = CachedState | Promise<CachedState>;

function toCachedStates(stations: readonly string[], entries: readonly CachedState[]): CachedStates {
  let readAt = START;
  const states = new Map<string, CoverageState>();
  for (const [n, entry] of entries.entries()) {
    states.set(stations[n] as string, entry.state);
    if (entry.readAt > readAt) readAt = entry.readAt;
  }
  return { states, readAt };
}
