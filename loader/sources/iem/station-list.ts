import { ALL_STATIONS, type Listing } from '../../../clickhouse/coverage/station-listings.ts';
import { addDays, type Day, parseDay } from '../../../clickhouse/model/day.ts';
import { ICAO_CODE } from '../../../clickhouse/model/report.ts';
import { groupBy } from '../../group-by.ts';
import { parseJson } from '../json-body.ts';
import type { Body, StationList } from '../source.ts';
import { describeStation } from './station-description.ts';
import { toIcaoCode } from './station-id.ts';
import { type StationRow, stationRows } from './station-rows.ts';

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
    descriptions: stations.map(([code, [row]]) => describeStation(code, row)),
  };
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
function parseArchiveDay(value: unknown): Day | undefined {
  return typeof value === 'string' ? parseDay(value.slice(0, 10)) : undefined;
}
