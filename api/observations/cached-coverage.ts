import { hash } from 'node:crypto';
import type { Archive } from '../../clickhouse/archive.ts';
import type { Moment } from '../../clickhouse/concurrency.ts';
import { type CoverageStatus, readCoverage } from '../../clickhouse/coverage/coverage.ts';
import type { CachedStates, CoverageStateCache } from '../../clickhouse/coverage/state-cache.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import type { StationRange } from '../../clickhouse/model/time-window.ts';
import type { ResponseCache } from '../http/response/response-cache.ts';
import { type CachedText, toCachedText } from './page-cache.ts';

const DAY_MS = 86_400_000;

/** The coverage of a request. */
export type CoverageText = CachedText & {
  readonly status: CoverageStatus;
  readonly readAt: Moment;
  /** When the coverage states that it is based on were read. */
  readonly statesReadAt: Moment;
  /** The UTC day on which it was built: each day, one more day becomes old enough to be done (D13). */
  readonly day: number;
};

/** Reads the coverage of requests; walks and repeated requests read it once, until something changes. */
export class CachedCoverage {
  readonly #states: CoverageStateCache;
  readonly #cache: ResponseCache;

  constructor(states: CoverageStateCache, cache: ResponseCache) {
    this.#states = states;
    this.#cache = cache;
  }

  /** The coverage if it is in memory. */
  peek(range: StationRange): CoverageText | undefined {
    const cached = this.#cache.get<CoverageText>(keyOf(range));
    // Without a cached text, the states need no check.
    if (cached === undefined) return undefined;
    const states = this.#states.peek([...range.stations, ALL_STATIONS]);
    return states !== undefined && isCurrent(cached, states) ? cached : undefined;
  }

  /** @param states of its stations and of all stations */
  async read(archive: Archive, range: StationRange, states: CachedStates): Promise<CoverageText> {
    const key = keyOf(range);
    const cached = this.#cache.get<CoverageText>(key);
    if (cached !== undefined && isCurrent(cached, states)) return cached;
    const day = today();
    const coverage = await readCoverage(archive, range, states.states);
    const text = {
      ...toCachedText(Buffer.from(JSON.stringify(coverage))),
      status: coverage.status,
      // It can contain data from the reports themselves, which is newer than the states.
      readAt: this.#states.clock.tick(),
      statesReadAt: states.readAt,
      day,
    };
    this.#cache.add(key, text);
    return text;
  }
}

function isCurrent({ statesReadAt, day }: CoverageText, { readAt }: CachedStates): boolean {
  return statesReadAt === readAt && day === today();
}

function today(): number {
  return Math.floor(Date.now() / DAY_MS);
}

/** A hash: the codes of a thousand stations take 5 kB. */
function keyOf({ stations, from, to }: StationRange): string {
  return hash('sha256', `coverage ${from} ${to} ${stations.join()}`, 'base64url');
}
