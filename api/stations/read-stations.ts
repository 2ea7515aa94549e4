import lookUpZone from '@photostructure/tz-lookup';
import type { Archive } from '../../clickhouse/archive.ts';
import { NO_COVERAGE } from '../../clickhouse/coverage/state.ts';
import type { CoverageStateCache } from '../../clickhouse/coverage/state-cache.ts';
import { periodOfRecord } from '../../clickhouse/coverage/station-listings.ts';
import {
  type Coordinates,
  type KnownStation,
  type PlaceInList,
  readKnownStations,
} from '../../clickhouse/stations.ts';
import type { Query } from '../contract/query.ts';
import { formatTime } from '../http/response/envelope.ts';
import { stationFiltersOf } from './endpoint.ts';

/** An element of `data`. Unknown values are `undefined`, which JSON omits. */
export type StationRecord = {
  readonly station: string;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  readonly elevation_m: number | undefined;
  readonly [property: string]: unknown;
};

export type StationsPage = {
  readonly stations: readonly StationRecord[];
  /** The last station of the page, if another page follows. */
  readonly next: PlaceInList | undefined;
};

/** Reads a page of stations with their data from coverage. */
export async function readStations(
  archive: Archive,
  cache: CoverageStateCache,
  { values, limit, after }: Query<PlaceInList>,
  signal: AbortSignal,
): Promise<StationsPage> {
  const found = await readKnownStations(archive, stationFiltersOf(values), after, limit + 1, signal);
  const page = found.slice(0, limit);
  const codes = page.map(({ station }) => station);
  const states = codes.length === 0 ? new Map() : (await cache.read(codes, signal)).states;
  return {
    stations: page.map((known) => toRecord(known, states.get(known.station) ?? NO_COVERAGE)),
    next: found.length > limit ? page.at(-1) : undefined,
  };
}

function toRecord(
  { station, name, country, position, elevation_m, distance_km, timezone }: KnownStation,
  { listings, reports }: typeof NO_COVERAGE,
): StationRecord {
  const first = reports.length === 0 ? undefined : Math.min(...reports.map((span) => span.first));
  const last = reports.length === 0 ? undefined : Math.max(...reports.map((span) => span.last));
  return {
    station,
    name,
    country,
    latitude: position?.latitude,
    longitude: position?.longitude,
    elevation_m,
    distance_km,
    timezone: timezone ?? (position && timeZoneAt(position)),
    periodOfRecord: periodOfRecord(listings),
    firstReport: formatTime(first),
    lastReport: formatTime(last),
  };
}

/**
 * The IANA name of the time zone at a position, such as `America/New_York`; at sea the nautical zone, such as
 * `Etc/GMT+10`. Source: timezone-boundary-builder, in cells of about 80 m along populated borders and coarser ones
 * elsewhere.
 */
export function timeZoneAt({ latitude, longitude }: Coordinates): string {
  return lookUpZone(latitude, longitude);
}
