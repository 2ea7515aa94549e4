import { hash } from 'node:crypto';
import type { Archive } from '../../clickhouse/archive.ts';
import { findStationsWithReports } from '../../clickhouse/coverage/coverage.ts';
import { readKnownStations } from '../../clickhouse/stations.ts';
import type { RouteContext } from '../compose.ts';
import { AREA_NAMES, MAX_STATIONS_OF_REQUEST } from '../contract/parameters.ts';
import type { Query } from '../contract/query.ts';
import type { QueuedRequest } from '../ops/request-queue.ts';
import { invalidParameter } from '../problem.ts';
import type { CacheEntry } from './memory.ts';

/** How long the stations of an area are kept: a station that a loader has described meanwhile is missing for this time at most. */
const MAX_AGE_MS = 60_000;
/** Memory of a station: its row, and its code. */
const FOUND_STATION_BYTES = 512;

/** The stations of an area, in the order of their codes or of their distances: up to one more than a request may have. */
type Area = CacheEntry & { readonly stations: readonly string[] };

/**
 * Replaces the area of a query by the codes of its stations, which coverage names. They are part of `dataKey`, because an area can
 * have other stations a minute later. Those of a refused area are kept in memory too, because finding them costs as much.
 *
 * @throws 400 if no station meets the filters, or more stations than a request may have
 */
export async function nameStations<Position>(
  { cache, queries, states }: Pick<RouteContext, 'cache' | 'queries' | 'states'>,
  query: Query<Position>,
  client: QueuedRequest,
): Promise<Query<Position>> {
  const { values, dataKey } = query;
  if (values.stations.length > 0) return query;
  const { country, bbox, near, radius_km, nearest, from, to } = values;
  const filters = { ...(country && { country }), ...(bbox && { bbox }), ...(near && { near, radius_km }) };
  const range = nearest === undefined ? undefined : { from, to };
  const key = `area ${hash('sha256', JSON.stringify({ filters, nearest, range }), 'base64url')}`;
  const read = async (archive: Archive, signal: AbortSignal) => {
    const found = await readKnownStations(archive, filters, undefined, MAX_STATIONS_OF_REQUEST + 1);
    const codes = found.map(({ station }) => station);
    if (range === undefined) return codes;
    const known = await states.current(codes, signal);
    const withReports = await findStationsWithReports(archive, { stations: codes, ...range }, known.states);
    return codes.filter((station) => withReports.has(station)).slice(0, nearest);
  };
  let area = cache.get(key) as Area | undefined;
  if (area === undefined) {
    const found = await queries.runQuery(read, client, MAX_STATIONS_OF_REQUEST * FOUND_STATION_BYTES); // 503, 504
    area = { stations: found, size: found.length * FOUND_STATION_BYTES };
    cache.set(key, area, { ttl: MAX_AGE_MS });
  }
  const { stations } = area;
  const name = nearest === undefined ? AREA_NAMES.find((each) => filters[each] !== undefined) : 'nearest';
  requireCount(stations.length, name ?? 'stations'); // 400
  return {
    ...query,
    values: { ...values, stations },
    dataKey: hash('sha256', `${dataKey} ${stations.join()}`, 'base64url'),
  };
}

function requireCount(stations: number, name: string): void {
  if (stations === 0)
    throw invalidParameter(
      name,
      name === 'nearest'
        ? 'finds no station with reports in the range: ask for another range, or for a greater radius_km'
        : 'matches no station that the archive knows: see /v1/history/stations',
    );
  if (stations > MAX_STATIONS_OF_REQUEST)
    throw invalidParameter(
      name,
      `matches more than ${MAX_STATIONS_OF_REQUEST.toLocaleString('en')} stations: ask for a smaller area, or for some of /v1/history/stations at a time`,
    );
}
