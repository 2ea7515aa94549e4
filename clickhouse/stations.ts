import type { Archive } from './archive.ts';
import type { Source } from './model/report.ts';
import { POINT_READ, type RowOf, selectRow, selectRows, withoutNulls } from './statements/select.ts';
import { fillSql, readStatement } from './statements/sql.ts';

/** What a source publishes about a station. Values that it does not state are absent. */
export type StationDescription = {
  readonly source: Source;
  readonly station: string;
  readonly name?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  readonly position?: Coordinates;
  /** Meters above mean sea level. */
  readonly elevation_m?: number;
  /** IANA name. */
  readonly timezone?: string;
};

/** In degrees: north from -90 to 90, east from -180 to 180. */
export type Coordinates = { readonly latitude: number; readonly longitude: number };

/** Decides whose values count if several sources describe a station: the lowest rank's. */
export type DescriptionRanks = {
  readonly rank: number;
  readonly elevationRank: number;
};

export async function recordStationDescriptions(
  archive: Archive,
  descriptions: readonly StationDescription[],
  ranks: DescriptionRanks,
): Promise<void> {
  if (descriptions.length === 0) return;
  const values = descriptions.map(({ position, ...others }) => ({ ...others, ...position, ...ranks }));
  await archive.insert({ table: 'station_descriptions', rows: values });
}

/** Degrees; `west` > `east` crosses the antimeridian. */
export type BoundingBox = Readonly<Record<'west' | 'south' | 'east' | 'north', number>>;

/** A station must match every given filter. */
export type StationFilters = {
  readonly stations?: readonly string[];
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  readonly bbox?: BoundingBox;
  /** Words that are parts of the code or the name, in upper or lower case, with or without accents. */
  readonly q?: string;
  /** A station without a position is near no point. */
  readonly near?: Coordinates;
  /** The greatest distance from `near`. */
  readonly radius_km?: number;
};

export type Runway = {
  /** As painted on it: the tenth of the magnetic heading, `04` or `22L`. */
  readonly ident: string;
  /** True, 0 to 360. */
  readonly heading_deg: number;
  readonly length_m: number;
};

export type KnownStation = Omit<StationDescription, 'source'> & {
  /** From the point of `near`, with two decimals. */
  readonly distance_km?: number;
  /** At least one; absent where they are not known. */
  readonly runways?: readonly Runway[];
  /** Seconds since 1970-01-01T00:00:00Z. Absent if it is not read, or the archive holds no report of the station. */
  readonly newestReport?: number;
};

/** With its distance if the list is sorted by distance. */
export type PlaceInList = Pick<KnownStation, 'station' | 'distance_km'>;

const DESCRIBED_STATIONS = readStatement('stations/described_stations');
const KNOWN_STATIONS = readStatement('stations/known_stations');

/** A text in lower case without accents. Letters that are not one with an accent have those that people type for them. */
function plain(sql: string): string {
  const letters = `replaceRegexpAll(normalizeUTF8NFD(lowerUTF8(${sql})), '\\\\p{Mn}', '')`;
  return `replaceAll(replaceAll(translateUTF8(${letters}, 'łøđı', 'lodi'), 'ß', 'ss'), 'æ', 'ae')`;
}

const IS_KNOWN = `station IN (
        SELECT station FROM station_descriptions UNION ALL SELECT station FROM stations UNION ALL SELECT station FROM coverage)`;

const HAS_WORDS = `arrayAll(
        word -> position(${plain("concat(station, ' ', ifNull(name, ''))")}, word) > 0,
        splitByWhitespace(${plain('{q:String}')}))`;

/**
 * By code; with `near`, by distance, then by code; at most `rows` of those after the last one of the previous page.
 *
 * @param lastReport of a station, in SQL: `NULL` takes less CPU, and leaves `newestReport` out
 */
export async function readKnownStations(
  archive: Archive,
  filters: StationFilters,
  after: PlaceInList | undefined,
  rows: number,
  lastReport: 'NULL' | 'max(lastReport)' = 'NULL',
): Promise<readonly KnownStation[]> {
  const { near, radius_km = 0, bbox, ...others } = filters;
  const { stations, country, q } = others;
  const selected = [
    near === undefined ? 'station > {after:String}' : undefined,
    stations && 'station IN {stations:Array(String)}',
  ];
  const conditions = [
    country && 'country = {country:String}',
    bbox && inBoundingBox(bbox),
    q && HAS_WORDS,
    near && 'distance <= {radius:UInt32}',
    near && after && '(distance, station) > ({afterDistance:UInt32}, {after:String})',
  ];
  const describedStations = fillSql(DESCRIBED_STATIONS, {
    selected: allOf(selected),
    // Of 28,000 aerodromes, so that the others are not grouped.
    isKnown: stations === undefined ? IS_KNOWN : 'true',
    lastReport,
  });
  const query = fillSql(KNOWN_STATIONS, { describedStations, conditions: allOf(conditions) });
  const params = {
    after: after?.station ?? '',
    afterDistance: toSteps(after?.distance_km ?? 0),
    nearLatitude: near?.latitude ?? null,
    nearLongitude: near?.longitude ?? null,
    radius: toSteps(radius_km),
    rows,
    ...others,
    ...bbox,
  };
  return (await selectRows<StationRow>(archive, { query, params })).map(toStation);
}

const STATION_PLACES = fillSql(readStatement('stations/station_places'), {
  describedStations: fillSql(DESCRIBED_STATIONS, {
    selected: 'station IN {stations:Array(String)}',
    isKnown: 'true',
    lastReport: 'NULL',
  }),
});

export async function readStationPlaces(
  archive: Archive,
  stations: readonly string[],
): Promise<readonly Pick<KnownStation, 'station' | 'timezone' | 'position'>[]> {
  const select = { query: STATION_PLACES, params: { stations }, settings: POINT_READ };
  return (await selectRows<StationRow>(archive, select)).map(toStation);
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

type StationRow = Omit<RowOf<KnownStation>, 'position' | 'distance_km'> &
  RowOf<Coordinates> & {
    /** In units of 10 m; `station_places` has none. */
    readonly distance?: number | null;
  };

function toStation({ latitude, longitude, distance, runways, ...others }: StationRow): KnownStation {
  return withoutNulls<KnownStation>({
    ...others,
    position: latitude === null || longitude === null ? null : { latitude, longitude },
    distance_km: distance == null ? null : distance / STEPS_PER_KM,
    runways: runways?.length ? runways : null,
  });
}

/** The archive in numbers. The number of reports includes replaced versions, a few percent at most. */
export type ArchiveSummary = {
  readonly stations: number;
  readonly reports: number;
  readonly firstYear: number;
  readonly lastYear: number;
  /** Seconds since 1970-01-01T00:00:00Z; null if there is no report, and the other values have no meaning. */
  readonly newestReport: number | null;
  /** One or two stations whose newest report is at most three days older than the newest overall. */
  readonly examples: readonly string[];
  readonly sources: readonly Source[];
  readonly hasAerodromes: boolean;
};

/** Takes some milliseconds: it reads the coverage view, which has a row for each station and year. */
export function readArchiveSummary(archive: Archive): Promise<ArchiveSummary> {
  return selectRow(archive, { query: readStatement('stations/archive_summary') });
}
