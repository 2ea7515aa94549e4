import type { Archive } from '../archive.ts';
import { selectRows } from '../statements/select.ts';
import { fillSql, readSqlFile } from '../statements/sql-file.ts';
import type { StationDescription } from './station-descriptions.ts';

/** Degrees; `west` > `east` crosses the antimeridian. */
export type BoundingBox = {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
};

/** A station has to match every filter that is given. */
export type StationFilters = {
  readonly stations?: readonly string[];
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  readonly bbox?: BoundingBox;
  /** Part of the code or the name, in upper or lower case. */
  readonly q?: string;
};

export type KnownStation = Omit<StationDescription, 'source'>;

const KNOWN_STATIONS = readSqlFile('stations/known_stations');

/**
 * Stations after a code, in the order of their codes.
 *
 * @param rows stations at most
 */
export async function readKnownStations(
  client: Archive,
  filters: StationFilters,
  after: string | undefined,
  rows: number,
  signal: AbortSignal,
): Promise<readonly KnownStation[]> {
  const { stations, country, bbox, q } = filters;
  const selected = ['station > {after:String}', stations && 'station IN {stations:Array(String)}'];
  const conditions = [
    country && 'country = {country:String}',
    bbox && inBoundingBox(bbox),
    q &&
      '(positionCaseInsensitiveUTF8(station, {q:String}) > 0 OR positionCaseInsensitiveUTF8(name, {q:String}) > 0)',
  ];
  const found = await selectRows<Row>(
    client,
    {
      query: fillSql(KNOWN_STATIONS, { selected: allOf(selected), conditions: allOf(conditions) }),
      params: {
        after: after ?? '',
        rows,
        ...(stations && { stations }),
        ...(country && { country }),
        ...bbox,
        ...(q && { q }),
      },
    },
    signal,
  );
  return found.map(toStation);
}

function allOf(conditions: readonly (string | undefined)[]): string {
  return conditions.filter((condition) => condition !== undefined).join('\n        AND ') || 'true';
}

function inBoundingBox({ west, east }: BoundingBox): string {
  const between = west <= east ? 'AND' : 'OR';
  return `latitude >= {south:Float64} AND latitude <= {north:Float64}
        AND (longitude >= {west:Float64} ${between} longitude <= {east:Float64})`;
}

type Row = {
  readonly station: string;
  readonly name: string | null;
  readonly country: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly elevation_m: number | null;
  readonly timezone: string | null;
};

function toStation({
  station,
  name,
  country,
  latitude,
  longitude,
  elevation_m,
  timezone,
}: Row): KnownStation {
  return {
    station,
    ...(name !== null && { name }),
    ...(country !== null && { country }),
    ...(latitude !== null && longitude !== null && { position: { latitude, longitude } }),
    ...(elevation_m !== null && { elevation_m }),
    ...(timezone !== null && { timezone }),
  };
}
