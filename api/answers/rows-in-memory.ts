import { hash } from 'node:crypto';
import type { Moment } from '../../clickhouse/concurrency.ts';
import { readZones } from '../../clickhouse/zones/clocks.ts';
import type { LocalTimes } from '../../clickhouse/zones/local-texts.ts';
import type { CoverageText, Memory } from './coverage.ts';
import type { CachedText } from './envelope.ts';
import type { CacheEntry, ResponseCache } from './memory.ts';

/**
 * Returns the rows in memory if they are no older than the coverage, else reads them. The clocks of the stations are part of the
 * key, because those of `local` and `standard` change when a source states another zone.
 *
 * @param isLasting whether the rows can be kept, because they change only when the archive changes
 */
export async function rowsInMemory<Rows extends CachedText>(
  { states, cache }: Memory,
  asked: readonly unknown[],
  { clocks, local, coverage }: LocalTimes & { readonly coverage: CoverageText },
  isLasting: boolean,
  read: () => Promise<Rows>,
): Promise<Rows> {
  const ofStations = clocks.map(({ offsets, stations, range }) => [offsets, stations.toSorted(), range]);
  const key = hash('sha256', JSON.stringify([asked, local?.params, ofStations]), 'base64url');
  const known = cache.get(key) as (Rows & { readonly readFrom: Moment }) | undefined;
  if (known !== undefined && known.readFrom >= coverage.readAt) return known;
  const readFrom = states.clock.now;
  const rows = { ...(await read()), readFrom };
  if (isLasting) cache.set(key, rows);
  return rows;
}

/** How long zones are kept: a zone that a source has stated meanwhile counts after this time at the latest. */
const MAX_AGE_MS = 60_000;
/** Memory of a station: its code and zone. */
const ZONE_BYTES = 128;

/** Reads the zones of stations, which stay in memory for a minute. */
export function zonesInMemory(cache: ResponseCache): typeof readZones {
  return async (archive, stations) => {
    const key = `zones ${hash('sha256', stations.join(), 'base64url')}`;
    const known = cache.get(key) as (CacheEntry & { readonly zones: Map<string, string> }) | undefined;
    if (known !== undefined) return known.zones;
    const zones = await readZones(archive, stations);
    cache.set(key, { zones, size: stations.length * ZONE_BYTES } as CacheEntry, { ttl: MAX_AGE_MS });
    return zones;
  };
}
