import { ALL_STATIONS, type Listing } from '../../../clickhouse/coverage/station-listings.ts';
import { addDays, type Day, parseDay } from '../../../clickhouse/model/day.ts';
import { ICAO_CODE } from '../../../clickhouse/model/report.ts';
import { type Body, textOf } from '../source.ts';
import { toIcaoCode } from './station-id.ts';

/**
 * Parses IEM's station metadata (`/api/1/station/ID.json`, `/geojson/network/ID.geojson`). A station can be in several
 * networks; only those of METAR reports, whose ids end in ASOS, state its period of record here.
 */
export async function parsePeriodsOfRecord(body: Body, station: string): Promise<readonly Listing[]> {
  const byStation = new Map<string, StationRow[]>();
  for (const row of stationRows(await textOf(body))) {
    if (typeof row.network !== 'string' || !row.network.endsWith('ASOS') || typeof row.id !== 'string')
      continue;
    const code = toIcaoCode(row.id);
    if (!ICAO_CODE.test(code) || (station !== ALL_STATIONS && code !== station)) continue;
    byStation.set(code, [...(byStation.get(code) ?? []), row]);
  }
  return [...byStation].map(([code, rows]) => listingOf(code, rows));
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

type StationRow = Readonly<Partial<Record<'id' | 'network' | 'archive_begin' | 'archive_end', unknown>>>;

/**
 * Returns the rows of IEM's two forms: a list, alone or as `data`; or GeoJSON features, whose `properties` lack the id.
 * Any other text has no rows.
 */
function stationRows(text: string): readonly StationRow[] {
  try {
    const parsed = JSON.parse(text) as { data?: unknown; features?: unknown } | null;
    const list: unknown = Array.isArray(parsed) ? parsed : (parsed?.features ?? parsed?.data);
    if (!Array.isArray(list)) return [];
    return list
      .filter(isObject)
      .map((row) => (isObject(row.properties) ? { id: row.id, ...row.properties } : row));
  } catch {
    return [];
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** `1948-07-17` or `1948-07-17T00:00:00Z`. */
function parseArchiveDay(value: unknown): Day | undefined {
  return typeof value === 'string' ? parseDay(value.slice(0, 10)) : undefined;
}
