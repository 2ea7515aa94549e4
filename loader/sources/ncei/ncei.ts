import { ICAO_CODE, SOURCE_ENDS } from '../../../clickhouse/model/report.ts';
import { forEachRow, numberIn } from '../csv.ts';
import type { Body, RemoteSource, Slice } from '../source.ts';
import { isoCountryOfFips, MAX_LIST_BYTES, toStationDescription } from '../station-lists.ts';
import { isdFixedWidthFormat, isdFormat, parseIsd, type StationOf } from './isd.ts';
import { directoryOf, type StationId } from './station-ids.ts';

/** A row of 600 bytes every five minutes of a year; some of them are METAR and SPECI. */
const MAX_BYTES_OF_YEAR = 64_000_000;

/**
 * The Integrated Surface Database (ISD, "global hourly") of NCEI: static files, one for each station and year, with the
 * keywords METAR and SPECI. https://www.ncei.noaa.gov/data/global-hourly/
 */
export function ncei(host = 'https://www.ncei.noaa.gov'): RemoteSource {
  const stations = new Map<string, readonly IsdStation[]>();
  const stationById = new Map<string, string>();
  const list = {
    request: { url: `${host}/pub/data/noaa/isd-history.csv`, maxBytes: MAX_LIST_BYTES },
    // BEGIN and END of the list are not the station's period of record: they end with an id, or with ISD.
    parse: async (body: Body) => {
      const history = await parseHistory(body);
      stationById.clear();
      for (const { id, station } of history) stationById.set(id, station);
      return directoryOf('ncei', history, stations, (one, other) =>
        other.lastDay >= one.lastDay ? other : one,
      );
    },
  };
  return {
    kind: 'remote',
    host,
    source: 'ncei',
    publisher: 'NOAA NCEI',
    rank: 5,
    sendsTypes: true,
    fileFormats: (icaoCodes) => {
      const stationOf: StationOf = (id, callSign) => icaoCodes.get(id) ?? callSign;
      return [isdFormat(stationOf), isdFixedWidthFormat(stationOf)];
    },
    rateLimit: { intervalSeconds: 0.25, parallel: 4 },
    givesAllStations: false,
    givesWholeYears: true,
    // A year of all stations has some gigabytes in one archive, as much as a thousand files of stations.
    yearArchives: {
      request: (year) => ({
        url: `${host}/data/global-hourly/archive/csv/${year}.tar.gz`,
        maxBytes: 20e9,
        maxSeconds: 12 * 3600,
      }),
      minStations: 1000,
      stations: () => [...stations.keys()],
      stationOf: (file) => stationById.get(/(\w{11})\.csv$/.exec(file)?.[1] ?? ''),
    },
    endDay: SOURCE_ENDS.ncei,
    requests: (slice) =>
      yearFiles(slice, stations).map((path) => ({
        url: host + path,
        maxBytes: MAX_BYTES_OF_YEAR,
        mayBeAbsent: true,
      })),
    maxRows: 200_000,
    parse: parseIsd,
    stationList: list,
    descriptionList: list,
    // Names in capitals, positions to three decimals, and several rows a code.
    descriptionRanks: { rank: 4, elevationRank: 3 },
  };
}

/** One file for each id that the station had in the year. */
function yearFiles({ station, firstDay }: Slice, stations: ReadonlyMap<string, readonly IsdStation[]>) {
  const year = Number(firstDay.slice(0, 4));
  return (stations.get(station) ?? [])
    .filter(({ firstYear, lastYear }) => firstYear <= year && year <= lastYear)
    .map(({ id }) => `/data/global-hourly/access/${year}/${id}.csv`);
}

/** The id has a USAF number (6 characters) and a WBAN number (5). */
type IsdStation = StationId & {
  readonly firstYear: number;
  readonly lastYear: number;
  /** `YYYYMMDD`. */
  readonly lastDay: string;
};

const HISTORY_COLUMNS = ['USAF', 'WBAN', 'ICAO', 'BEGIN', 'END'] as const;
const OPTIONAL_HISTORY_COLUMNS = ['STATION NAME', 'CTRY', 'STATE', 'LAT', 'LON', 'ELEV(M)'] as const;

/**
 * Parses ISD's station list (https://www.ncei.noaa.gov/pub/data/noaa/isd-history.csv), the rows with an ICAO code. A
 * station has had several ids over time, so a code can have several rows.
 */
export async function parseHistory(body: Body): Promise<readonly IsdStation[]> {
  const stations: IsdStation[] = [];
  await forEachRow(body, HISTORY_COLUMNS, OPTIONAL_HISTORY_COLUMNS, (value) => {
    const station = value('ICAO');
    const id = value('USAF') + value('WBAN');
    if (!ICAO_CODE.test(station) || !/^[A-Z0-9]{11}$/.test(id)) return;
    const year = (name: 'BEGIN' | 'END') => Number(value(name).slice(0, 4));
    const years = { firstYear: year('BEGIN'), lastYear: year('END'), lastDay: value('END') };
    const description = toStationDescription('ncei', station, {
      name: value('STATION NAME'),
      country: isoCountryOfFips(value('CTRY'), value('STATE')),
      latitude: numberIn(value('LAT')),
      longitude: numberIn(value('LON')),
      elevation_m: numberIn(value('ELEV(M)')),
    });
    stations.push({ station, id, ...years, description });
  });
  return stations;
}
