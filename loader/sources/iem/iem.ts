import { ALL_STATIONS } from '../../../clickhouse/coverage/station-listings.ts';
import { type RemoteSource, type Slice, type SourceRequest, windowOf } from '../source.ts';
import { MAX_LIST_BYTES } from '../station-lists.ts';
import { ASOS_FORMAT, parseAsos } from './asos.ts';
import { parseStationList, toIemId } from './station-list.ts';

/**
 * IEM has one row a station, closed ones too, with positions to five decimals, corrected by hand. Its elevations come
 * last: it fills unknown ones from a terrain model, and some of its islands lie below sea level.
 */
const DESCRIPTION_RANKS = { rank: 2, elevationRank: 4 } as const;

/** A day of all stations has a quarter of a million rows of a hundred bytes, in two responses. */
const MAX_ROWS = 400_000;
const MAX_BYTES = 48_000_000;
const HOST = 'https://mesonet.agron.iastate.edu';

/**
 * The Iowa Environmental Mesonet: the widest archive. Its texts lack the keywords METAR and SPECI.
 * Parameters: pylib/iemweb/request/asos.py of github.com/akrherz/iem, or `asos.py?help`.
 */
export function iem(host: string = HOST): RemoteSource {
  return {
    kind: 'remote',
    source: 'iem',
    publisher: 'IEM (Iowa State University)',
    rank: 2,
    sendsTypes: false,
    fileFormat: () => ASOS_FORMAT,
    rateLimit: { intervalSeconds: 2, parallel: 1 },
    givesAllStations: true,
    requests: (slice) =>
      asosPaths(slice).map((path): SourceRequest => ({ url: host + path, maxBytes: MAX_BYTES })),
    maxRows: MAX_ROWS,
    parse: parseAsos,
    stationDirectory: {
      kind: 'per station',
      request: (station) => ({
        url: host + directoryPath(station),
        maxBytes: MAX_LIST_BYTES,
        mayBeAbsent: true,
      }),
      parse: parseStationList,
      ranks: DESCRIPTION_RANKS,
    },
    stationList: {
      request: { url: host + directoryPath(ALL_STATIONS), maxBytes: MAX_LIST_BYTES },
      parse: async (body) => (await parseStationList(body, ALL_STATIONS)).descriptions,
      ranks: DESCRIPTION_RANKS,
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
  const { from, to } = windowOf(slice);
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

/** `2024-01-31T12:51Z`. */
function minuteOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16)}Z`;
}

/** The network `AZOS` lists every station that reports at present. */
function directoryPath(station: string): string {
  return station === ALL_STATIONS
    ? '/geojson/network/AZOS.geojson'
    : `/api/1/station/${toIemId(station)}.json`;
}
