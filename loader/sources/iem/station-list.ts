import { ALL_STATIONS, type Listing } from '../../../clickhouse/coverage/station-listings.ts';
import { groupBy } from '../../../clickhouse/group-by.ts';
import { addDays, type Day, parseDay } from '../../../clickhouse/model/day.ts';
import { ICAO_CODE } from '../../../clickhouse/model/report.ts';
import type { StationDescription } from '../../../clickhouse/stations.ts';
import type { Body, StationList } from '../source.ts';
import { isObject, isoCountry, parseJson, toStationDescription } from '../station-lists.ts';

/** IEM's station ids are ICAO codes, but without the K of the contiguous United States: KJFK is JFK. */
export const toIemId = (station: string): string => (station.startsWith('K') ? station.slice(1) : station);

export const toIcaoCode = (id: string): string => (id.length === 3 ? `K${id}` : id);

/** A row of IEM's station metadata; no value is trusted to have its type. */
type StationRow = Readonly<Record<string, unknown>>;

/**
 * Parses IEM's station metadata (`/api/1/station/ID.json`, `/geojson/network/ID.geojson`). A station can be in several
 * networks; only those of METAR reports, whose ids end in ASOS, state its period of record here.
 */
export async function parseStationList(body: Body, station: string): Promise<StationList> {
  const rows = stationRows(await parseJson(body)).flatMap((row) => {
    if (typeof row.network !== 'string' || !row.network.endsWith('ASOS') || typeof row.id !== 'string')
      return [];
    const code = toIcaoCode(row.id);
    return ICAO_CODE.test(code) && (station === ALL_STATIONS || code === station) ? [{ code, row }] : [];
  });
  const stations = [...groupBy(rows, ({ code }) => code)].map(
    ([code, found]) => [code, found.map(({ row }) => row)] as const,
  );
  return {
    listings: stations.map(([code, ofStation]) => listingOf(code, ofStation)),
    descriptions: stations.map(([code, [row]]) => describe(code, row)),
  };
}

/**
 * Returns the rows of IEM's two forms: a list, alone or as `data`; or GeoJSON features, whose `properties` lack the id
 * and the position, and have the name as `sname`. Anything else has no rows.
 */
function stationRows(parsed: unknown): readonly StationRow[] {
  const list = isObject(parsed) && !Array.isArray(parsed) ? (parsed.features ?? parsed.data) : parsed;
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).map((row) => {
    const { id, geometry, properties } = row;
    if (!isObject(properties)) return row;
    const coordinates = isObject(geometry) && Array.isArray(geometry.coordinates) ? geometry.coordinates : [];
    const [longitude, latitude] = coordinates as readonly unknown[];
    return { id, name: properties.sname, longitude, latitude, ...properties };
  });
}

/**
 * The period of all rows together. IEM counts rebuilt reports too, so it limits where reports can be and proves none.
 * Its days are local days, so the period is one day longer at both ends.
 */
function listingOf(station: string, rows: readonly StationRow[]): Listing {
  const begins = rows.map(({ archive_begin }) => parseArchiveDay(archive_begin));
  const ends = rows.map(({ archive_end }) => parseArchiveDay(archive_end));
  const first = begins.every((day) => day !== undefined) ? begins.sort()[0] : undefined;
  const last = ends.every((day) => day !== undefined) ? ends.sort().at(-1) : undefined;
  return {
    source: 'iem',
    station,
    ...(first === undefined ? {} : { firstDay: addDays(first, -1) }),
    ...(last === undefined ? {} : { lastDay: addDays(last, 1) }),
  };
}

/** `1948-07-17` or `1948-07-17T00:00:00Z`. */
const parseArchiveDay = (value: unknown): Day | undefined =>
  typeof value === 'string' ? parseDay(value.slice(0, 10)) : undefined;

/** IEM's countries are ISO codes; some are withdrawn, such as AN, and its military stations have UN. */
function describe(station: string, row: StationRow = {}): StationDescription {
  const { name, country, state, latitude, longitude, elevation, tzname } = row;
  return toStationDescription('iem', station, {
    name,
    country: isoCountry(country, state),
    latitude,
    longitude,
    elevation_m: elevation,
    timezone: tzname,
  });
}
