import type { Listing } from '../../../clickhouse/coverage/station-listings.ts';
import { ALL_STATIONS } from '../../../clickhouse/coverage/station-listings.ts';
import { addDays, type Day, parseDay } from '../../../clickhouse/model/day.ts';
import { ICAO_CODE } from '../../../clickhouse/model/report.ts';
import { type Body, type RemoteSource, type Slice, type SourceRequest, textOf } from '../source.ts';
import { icaoCode, iemId, parseAsos } from './asos.ts';

const HOST = 'https://mesonet.agron.iastate.edu';

/** The Iowa Environmental Mesonet: the widest archive, though without the words METAR and SPECI. */
export function iem(host: string = HOST): RemoteSource {
  return {
    kind: 'remote',
    source: 'iem',
    rateLimit: { intervalSeconds: 2, parallel: 1 },
    givesAllStations: true,
    requests: (slice) => asosPaths(slice).map((path): SourceRequest => ({ url: host + path })),
    parse: parseAsos,
    stationDirectory: {
      kind: 'per station',
      request: (station) => ({ url: host + periodPath(station), mayBeAbsent: true }),
      parse: readPeriods,
    },
  };
}

/**
 * The window is `[sts, ets)`. Types 3 and 4 are what was sent out, 1 is made from 5-minute data. IEM's own guess at
 * routine (3) or special (4) is wrong outside the United States, so a station is asked for both in one request; a day
 * of the world comes in two, which keeps each answer to a size that IEM gets through.
 */
function asosPaths({ station, firstDay, endDay }: Slice): readonly string[] {
  const stations = station === ALL_STATIONS ? '' : `station=${iemId(station)}&`;
  const types =
    station === ALL_STATIONS ? ['report_type=3', 'report_type=4'] : ['report_type=3&report_type=4'];
  return types.map(
    (type) =>
      `/cgi-bin/request/asos.py?${stations}data=metar&sts=${firstDay}T00:00Z&ets=${endDay}T00:00Z&${type}` +
      '&tz=UTC&format=onlycomma&latlon=no&elev=no&missing=empty&trace=T&direct=no',
  );
}

/** The network `AZOS` holds every station that still reports. */
function periodPath(station: string): string {
  return station === ALL_STATIONS ? '/geojson/network/AZOS.geojson' : `/api/1/station/${iemId(station)}.json`;
}

/**
 * Periods of record: of the rows of ASOS networks, of which a station may have several. IEM counts rebuilt reports in,
 * so a period bounds what there can be and proves nothing; its days are local, hence one more at either end.
 */
async function readPeriods(body: Body, station: string): Promise<readonly Listing[]> {
  const byStation = new Map<string, StationRow[]>();
  for (const row of stationRows(await textOf(body))) {
    if (typeof row.network !== 'string' || !row.network.endsWith('ASOS') || typeof row.id !== 'string')
      continue;
    const code = icaoCode(row.id);
    if (!ICAO_CODE.test(code) || (station !== ALL_STATIONS && code !== station)) continue;
    byStation.set(code, [...(byStation.get(code) ?? []), row]);
  }
  return [...byStation].map(([code, rows]) => periodOf(code, rows));
}

function periodOf(station: string, rows: readonly StationRow[]): Listing {
  const begins = rows.map(({ archive_begin }) => dayAt(archive_begin));
  const ends = rows.map(({ archive_end }) => dayAt(archive_end));
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
 * IEM's shapes: rows in a list, bare or under `data`, or the `properties` of GeoJSON features with the id beside them.
 * Anything else tells nothing.
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

function dayAt(value: unknown): Day | undefined {
  return typeof value === 'string' ? parseDay(value.slice(0, 10)) : undefined;
}
