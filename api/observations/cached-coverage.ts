import { hash } from 'node:crypto';
import type { Archive } from '../../clickhouse/archive.ts';
import { type Coverage, readCoverage } from '../../clickhouse/coverage/coverage.ts';
import type { CachedStates, CoverageStateCache } from '../../clickhouse/coverage/state-cache.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import type { StationRange } from '../../clickhouse/model/time-window.ts';
import { digestParts } from '../http/response/envelope.ts';
import type { CoverageText, PageCache } from './page-cache.ts';

const DAY_MS = 86_400_000;

/** Reads the coverage of requests; walks and repeated requests read it once, until something changes. */
export class CachedCoverage {
  readonly #archive: Archive;
  readonly #states: CoverageStateCache;
  readonly #cache: PageCache;

  constructor(archive: Archive, states: CoverageStateCache, cache: PageCache) {
    this.#archive = archive;
    this.#states = states;
    this.#cache = cache;
  }

  /** The coverage if it is in memory. */
  peek(query: StationRange): CoverageText | undefined {
    const cached = this.#cache.coverage(keyOf(query));
    // Without a cached text, the states need no check.
    if (cached === undefined) return undefined;
    const states = this.#states.peek([...query.stations, ALL_STATIONS]);
    return states !== undefined && isCurrent(cached, states) ? cached : undefined;
  }

  /** @param states of its stations and of all stations */
  async read(query: StationRange, states: CachedStates, signal: AbortSignal): Promise<CoverageText> {
    const key = keyOf(query);
    const cached = this.#cache.coverage(key);
    if (cached !== undefined && isCurrent(cached, states)) return cached;
    const day = today();
    const coverage = {
      ...toText(await readCoverage(this.#archive, query, signal, states.states)),
      // It can contain data from the reports themselves, which is newer than the states.
      readAt: this.#states.clock.tick(),
      statesReadAt: states.readAt,
      day,
    };
    this.#cache.addCoverage(key, coverage);
    return coverage;
  }
}

function isCurrent({ statesReadAt, day }: CoverageText, { readAt }: CachedStates): boolean {
  return statesReadAt === readAt && day === today();
}

function today(): number {
  return Math.floor(Date.now() / DAY_MS);
}

/** In its own memory, not in the pool of small buffers. */
function toText(coverage: Coverage) {
  const text = JSON.stringify(coverage);
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return { parts: [bytes], digest: digestParts([bytes]), size: bytes.length };
}

/** A hash: the codes of a thousand stations take 5 kB. */
function keyOf({ stations, from, to }: StationRange): string {
  return hash('sha256', `coverage ${from} ${to} ${stations.join()}`, 'base64url');
}
