import { ALL_STATIONS, type Listing } from '../../clickhouse/coverage/station-listings.ts';
import { groupBy } from '../../clickhouse/group-by.ts';
import { addDays, type Day, dayStart, parseDay, SECONDS_PER_DAY } from '../../clickhouse/model/day.ts';
import { ICAO_CODE } from '../../clickhouse/model/report.ts';
import type { StationDescription } from '../../clickhouse/stations.ts';
import { canonicalZone, offsetsWithin, secondsAt } from '../../clickhouse/zones/zone-offsets.ts';
import { openCsv, placeOf } from './csv.ts';
import type { RowFormat, SkipReason, SourceRow } from './format.ts';
import { parseRows, rowTimeParser, UNREADABLE_ROW } from './parse-rows.ts';
import { type Body, type RemoteSource, type Slice, type StationList, windowOfSlice } from './source.ts';
import { isObject, isoCountry, MAX_LIST_BYTES, parseJson, toStationDescription } from './station-lists.ts';

/** A day of all stations has a quarter of a million rows of a hundred bytes, in two responses. */
const MAX_BYTES_OF_ANSWER = 48_000_000;

/**
 * The Iowa Environmental Mesonet: the widest archive. Its texts lack the keywords METAR and SPECI.
 * Parameters and format: pylib/iemweb/request/asos.py of github.com/akrherz/iem, or `asos.py?help`.
 */
export function iem(host = 'https://mesonet.agron.iastate.edu'): RemoteSource {
  return {
    kind: 'remote',
    host,
    source: 'iem',
    publisher: 'IEM (Iowa State University)',
    rank: 2,
    sendsTypes: false,
    fileFormats: () => [ASOS_FORMAT],
    rateLimit: { intervalSeconds: 2, parallel: 1 },
    givesAllStations: true,
    requests: (slice) =>
      asosPaths(slice).map((path) => ({ url: host + path, maxBytes: MAX_BYTES_OF_ANSWER })),
    maxRows: 400_000,
    parse: (body, slice, maxRows) =>
      parseRows(body, slice, ASOS_FORMAT, maxRows, {
        isInOrderOfTime: true,
        maxSilenceSeconds:
          slice.station === ALL_STATIONS ? MAX_SILENCE_SECONDS_ALL_STATIONS : MAX_SILENCE_SECONDS,
      }),
    periodLists: (stations) =>
      stations.map((station) => ({
        request: { url: host + directoryPath(station), maxBytes: MAX_LIST_BYTES, mayBeAbsent: true },
        parse: (body) => parseStationList(body, station),
      })),
    // One row a station, closed ones too, with positions to five decimals, corrected by hand. The elevations come last:
    // IEM fills unknown ones from a terrain model, and some of its islands lie below sea level.
    descriptionRanks: { rank: 2, elevationRank: 4 },
    descriptionList: {
      request: { url: host + directoryPath(ALL_STATIONS), maxBytes: MAX_LIST_BYTES },
      parse: (body) => parseStationList(body, ALL_STATIONS),
    },
  };
}

/**
 * The window is `[sts, ets)`. Report types 3 (routine) and 4 (special) are issued reports; 1 is made from 5-minute data.
 * IEM's distinction of 3 and 4 is wrong outside the United States, so one request asks for both. A day of all stations
 * takes two requests, one a type, because IEM fails more often on larger responses; a few hours take one.
 */
function asosPaths(slice: Slice): readonly string[] {
  const { station, window } = slice;
  const { from, to } = windowOfSlice(slice);
  const stations = station === ALL_STATIONS ? '' : `station=${toIemId(station)}&`;
  const types =
    station === ALL_STATIONS && window === undefined
      ? ['report_type=3', 'report_type=4']
      : ['report_type=3&report_type=4'];
  return types.map(
    (type) =>
      `/cgi-bin/request/asos.py?${stations}data=metar&sts=${minuteOf(from)}&ets=${minuteOf(to)}&${type}` +
      '&tz=UTC&format=onlycomma&latlon=no&elev=no&missing=empty&trace=T&direct=no',
  );
}

function minuteOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16)}Z`;
}

/** The network `AZOS` lists every station that reports at present. */
function directoryPath(station: string): string {
  return station === ALL_STATIONS
    ? '/geojson/network/AZOS.geojson'
    : `/api/1/station/${toIemId(station)}.json`;
}

/**
 * IEM sends `200 OK` before the first row and only logs a later failure, so a body that is cut between two lines looks
 * complete, but stations are rarely silent that long.
 */
const MAX_SILENCE_SECONDS = 3 * 3600;
/** Over all stations there is a report every minute. */
const MAX_SILENCE_SECONDS_ALL_STATIONS = 600;

const ASOS_COLUMNS = ['station', 'valid', 'metar'] as const;
/** With `latlon=yes` and `elev=yes`. */
const PLACE_COLUMNS = ['lat', 'lon', 'elevation'] as const;

/**
 * The CSV of IEM's `asos.py`, rows in order of time, as it is sent or as a program or spreadsheet has saved it. A file may
 * have other columns between these. `format=comma` has five lines `#DEBUG: ...` before the header.
 */
const ASOS_FORMAT: RowFormat = {
  name: `rows of ${ASOS_COLUMNS.join(', ')}, with times such as 2024-01-31 12:51 in UTC`,
  open: (header) => {
    const parseValid = rowTimeParser();
    // Every row of a station has the same string and place: a day of all stations has a quarter of a million rows.
    const stations = new Map<string, Pick<SourceRow, 'station' | 'place'>>();
    return openCsv(header, ASOS_COLUMNS, PLACE_COLUMNS, (value) => {
      const filedAt = parseValid(value('valid'));
      if (filedAt === undefined) return { reason: UNREADABLE_ROW };
      const id = value('station');
      let known = stations.get(id);
      if (known === undefined) {
        const place = placeOf(value('lat'), value('lon'), value('elevation'));
        known = { station: toIcaoCode(id), ...(place && { place }) };
        stations.set(id, known);
      }
      const { station, place } = known;
      const text = value('metar');
      const reason = skipReasonOf(text);
      if (reason !== undefined) return { station, filedAt, reason };
      const row = { station, filedAt, text: text.endsWith(GHCNH) ? text.slice(0, -GHCNH.length) : text };
      return place === undefined ? row : { ...row, place };
    });
  },
};

const GHCNH = ' IEM_GHCNH';

/**
 * Why the text of a row is not a report; `undefined` where it is one. IEM builds rows from other data; no station has
 * issued them. `IEM_GHCNH` also follows issued reports; only those that begin with the keyword and AUTO are rebuilt.
 */
function skipReasonOf(text: string): SkipReason | undefined {
  // `M` is IEM's missing value where the request does not say `missing=empty`.
  if (text === '' || text === 'M') return 'empty text';
  if (text.endsWith(' MADISHF')) return 'synthetic 5-minute data (MADISHF)';
  if (text.endsWith(' IEM_DS3505')) return 'rebuilt from fields (IEM_DS3505)';
  const isRebuilt = text.endsWith(GHCNH) && /^METAR [A-Z0-9]{4} \d{6}Z AUTO\b/.test(text);
  return isRebuilt ? 'rebuilt from fields (IEM_GHCNH)' : undefined;
}

/** IEM's station ids are ICAO codes, but without the K of the contiguous United States: KJFK is JFK. */
const toIemId = (station: string): string => (station.startsWith('K') ? station.slice(1) : station);

const toIcaoCode = (id: string): string => (id.length === 3 ? `K${id}` : id);

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
    return ICAO_CODE.test(code) && (station === ALL_STATIONS || code === station) ? [{ ...row, code }] : [];
  });
  const stations = [...groupBy(rows, ({ code }) => code)];
  return {
    listings: stations.map(([code, found]) => listingOf(code, found)),
    descriptions: stations.map(([code, [first]]) => descriptionOf(code, first)),
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
 * Its days are local days: east of Greenwich, the first one begins on the previous UTC day; west of it, the last one ends on the
 * next UTC day. A period that is a day too long would have a day that never gets a report.
 */
function listingOf(station: string, rows: readonly StationRow[]): Listing {
  const begins = rows.map(({ archive_begin }) => parseArchiveDay(archive_begin));
  const ends = rows.map(({ archive_end }) => parseArchiveDay(archive_end));
  const first = begins.every((day) => day !== undefined) ? begins.sort()[0] : undefined;
  const last = ends.every((day) => day !== undefined) ? ends.sort().at(-1) : undefined;
  const zones = rows.map(({ tzname }) => (typeof tzname === 'string' ? canonicalZone(tzname) : undefined));
  /** Whether the local day begins (1) or ends (-1) on the UTC day of its date; false where the zone is unknown. */
  const isWithin = (day: Day, sign: 1 | -1) =>
    zones.every((zone) => zone !== undefined && sign * offsetAt(zone, day) <= 0);
  return {
    source: 'iem',
    station,
    ...(first === undefined ? {} : { firstDay: addDays(first, isWithin(first, 1) ? 0 : -1) }),
    ...(last === undefined ? {} : { lastDay: addDays(last, isWithin(last, -1) ? 0 : 1) }),
  };
}

/** Seconds that are added to UTC for local time. */
function offsetAt(zone: string, day: Day): number {
  const from = dayStart(day);
  return secondsAt(offsetsWithin(zone, 'local', { from, to: from + SECONDS_PER_DAY }), from);
}

/** `1948-07-17` or `1948-07-17T00:00:00Z`. */
const parseArchiveDay = (value: unknown): Day | undefined =>
  typeof value === 'string' ? parseDay(value.slice(0, 10)) : undefined;

/** IEM's countries are ISO codes; some are withdrawn, such as AN, and its military stations have UN. */
function descriptionOf(station: string, row: StationRow = {}): StationDescription {
  const { name, country, state, latitude, longitude, elevation: elevation_m, tzname: timezone } = row;
  const sent = { name, latitude, longitude, elevation_m, timezone };
  return toStationDescription('iem', station, { ...sent, country: isoCountry(country, state) });
}
