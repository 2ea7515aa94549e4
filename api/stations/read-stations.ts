import type { Archive } from '../../clickhouse/archive.ts';
import { NO_COVERAGE } from '../../clickhouse/coverage/state.ts';
import type { CoverageStateCache } from '../../clickhouse/coverage/state-cache.ts';
import { periodOfRecord } from '../../clickhouse/coverage/station-listings.ts';
import {
  type KnownStation,
  type PlaceInList,
  readKnownStations,
  type StationFilters,
} from '../../clickhouse/stations/known-stations.ts';
import { formatTime } from '../http/response/envelope.ts';
import type { Query } from '../parameters/query.ts';
import { timeZoneAt } from './time-zone.ts';

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
  { asked, limit }: Pick<Query<StationFilters>, 'asked' | 'limit'>,
  after: PlaceInList | undefined,
  signal: AbortSignal,
): Promise<StationsPage> {
  const found = await readKnownStations(archive, asked, after, limit + 1, signal);
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
