import { hash } from 'node:crypto';
import { readZones } from '../../clickhouse/zones/clocks.ts';
import type { CacheEntry, ResponseCache } from './memory.ts';

/** A zone that a source has stated since counts after this time at the latest. */
const MAX_AGE_MS = 60_000;
/** Memory of a station: its code and zone. */
const ZONE_BYTES = 128;

type Zones = CacheEntry & { readonly zones: ReadonlyMap<string, string> };

/** Reads the zones of stations, which stay in memory for a minute. */
export function zonesInMemory(cache: ResponseCache): typeof readZones {
  return async (archive, stations) => {
    const key = `zones ${hash('sha256', stations.join(), 'base64url')}`;
    const known = cache.get(key) as Zones | undefined;
    if (known !== undefined) return known.zones;
    const zones = await readZones(archive, stations);
    const entry: Zones = { zones, size: stations.length * ZONE_BYTES };
    cache.set(key, entry, { ttl: MAX_AGE_MS });
    return zones;
  };
}
