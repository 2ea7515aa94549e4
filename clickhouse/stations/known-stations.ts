import type { Archive } from '../archive.ts';
import { type RowOf, selectRows, withoutNulls } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import type { Coordinates, StationDescription } from './station-descriptions.ts';

/** Degrees; `west` > `east` crosses the antimeridian. */
export type BoundingBox = {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
};

/** A station must match every given filter. */
export type StationFilters = {
  readonly stations?: readonly string[];
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  readonly bbox?: BoundingBox;
  /** Part of the code or the name, in upper or lower case. */
  readonly q?: string;
  /** A station without a position is near no point. */
  readonly near?: Coordinates;
  /** The greatest distance from `near`. */
  readonly radius_km?: number;
};

export type KnownStation = Omit<StationDescription, 'source'> & {
  /** From the point of `near`, with two decimals. */
  readonly distance_km?: number;
};

/** A station, and its distance if the list is sorted by distance. */
export type PlaceInList = Pick<KnownStation, 'station' | 'distance_km'>;

const KNOWN_STATIONS = readStatement('stations/known_stations');

/**
 * Stations by code; with `near`, by distance, then by code.
 *
 * @param after the last station of the previous page
 * @param rows maximum number of stations
 */
export async function readKnownStations(
  archive: Archive,
  filters: StationFilters,
  after: PlaceInList | undefined,
  rows: number,
  signal: AbortSignal,
): Promise<readonly KnownStation[]> {
  const { stations, country, bbox, q, near, radius_km = 0 } = filters;
  const selected = [
    near === undefined ? 'station > {after:String}' : undefined,
    stations && 'station IN {stations:Array(String)}',
  ];
  const conditions = [
    country && 'country = {country:String}',
    bbox && inBoundingBox(bbox),
    q &&
      '(positionCaseInsensitiveUTF8(station, {q:String}) > 0 OR positionCaseInsensitiveUTF8(name, {q:String}) > 0)',
    near && 'distance <= {radius:UInt32}',
    near && after && '(distance, station) > ({afterDistance:UInt32}, {after:String})',
  ];
  const found = await selectRows<Row>(
    archive,
    {
      query: fillSql(KNOWN_STATIONS, { selected: allOf(selected), conditions: allOf(conditions) }),
      params: {
        after: after?.station ?? '',
        afterDistance: toSteps(after?.distance_km ?? 0),
        nearLatitude: near?.latitude ?? null,
        nearLongitude: near?.longitude ?? null,
        radius: toSteps(radius_km),
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

/** Distances are compared as integers, so each page begins exactly where the previous one ends. */
const STEPS_PER_KM = 100;

function toSteps(km: number): number {
  return Math.round(km * STEPS_PER_KM);
}

/** The distance is in units of 10 m. */
type Row = RowOf<
  Omit<KnownStation, 'position' | 'distance_km'> & Coordinates & { readonly distance: number }
>;

function toStation({ latitude, longitude, distance, ...others }: Row): KnownStation {
  return {
    ...withoutNulls<Omit<KnownStation, 'position' | 'distance_km'>>(others),
    ...(latitude !== null && longitude !== null && { position: { latitude, longitude } }),
    ...(distance !== null && { distance_km: distance / STEPS_PER_KM }),
  };
}
