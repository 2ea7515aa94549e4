import { hash } from 'node:crypto';
import { readKnownStations } from '../../clickhouse/stations.ts';
import type { RouteContext } from '../compose.ts';
import { AREA_NAMES, MAX_STATIONS_OF_REQUEST } from '../contract/parameters.ts';
import type { Query } from '../contract/query.ts';
import type { Values } from '../contract/values.ts';
import type { QueuedRequest } from '../ops/queued-request.ts';
import { invalidParameter } from '../problem.ts';
import type { CacheEntry } from './memory.ts';

/** A station that a loader has described since is in the area after this time at the latest. */
const MAX_AGE_MS = 60_000;
/** Memory of a station: its row, and its code. */
const FOUND_STATION_BYTES = 512;

/** The stations of an area, in the order of their codes or of their distances: up to one more than a request may have. */
type Area = CacheEntry & { readonly stations: readonly string[]; readonly readAt: number };

type AreaFilters = Pick<Values, 'country' | 'bbox' | 'near'> & { readonly radius_km?: number };

/**
 * The query with the stations of its area in place of codes: at most as many as codes. Coverage names them. What is read is
 * kept in memory by them, for they can be others in a minute. An area that is refused is remembered too: it costs as much.
 *
 * @throws 400 where no station meets the filters, or more than a request may have
 */
export async function nameStations<Position>(
  context: Pick<RouteContext, 'cache' | 'queries'>,
  query: Query<Position>,
  client: QueuedRequest,
): Promise<Query<Position>> {
  const { values, filtersKey } = query;
  if (values.stations.length > 0) return query;
  const { country, bbox, near, radius_km } = values;
  const filters = { ...(country && { country }), ...(bbox && { bbox }), ...(near && { near, radius_km }) };
  const key = `area ${hash('sha256', JSON.stringify(filters), 'base64url')}`;
  const known = context.cache.get(key) as Area | undefined;
  const isCurrent = known !== undefined && performance.now() - known.readAt < MAX_AGE_MS;
  const area = isCurrent ? known : await readArea(context.queries, filters, client);
  context.cache.set(key, area);
  const { stations } = area;
  requireCount(stations.length, AREA_NAMES.find((name) => filters[name] !== undefined) ?? 'stations'); // 400
  return {
    ...query,
    values: { ...values, stations },
    dataKey: hash('sha256', `${filtersKey} ${stations.join()}`, 'base64url'),
  };
}

async function readArea(
  queries: RouteContext['queries'],
  filters: AreaFilters,
  client: QueuedRequest,
): Promise<Area> {
  const readAt = performance.now();
  const found = await queries.runQuery(
    (archive) => readKnownStations(archive, filters, undefined, MAX_STATIONS_OF_REQUEST + 1),
    client,
    MAX_STATIONS_OF_REQUEST * FOUND_STATION_BYTES,
  ); // 503, 504
  return { stations: found.map(({ station }) => station), size: found.length * FOUND_STATION_BYTES, readAt };
}

function requireCount(stations: number, name: string): void {
  if (stations === 0)
    throw invalidParameter(name, 'matches no station that the archive knows: see /v1/history/stations');
  if (stations > MAX_STATIONS_OF_REQUEST)
    throw invalidParameter(
      name,
      `matches more than ${MAX_STATIONS_OF_REQUEST.toLocaleString('en')} stations: ask for a smaller area, or for some of /v1/history/stations at a time`,
    );
}
