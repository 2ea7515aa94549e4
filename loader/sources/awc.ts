import { ICAO_CODE, REPORT_TYPES } from '../../clickhouse/model/report.ts';
import type { StationDescription } from '../../clickhouse/stations.ts';
import { openCsv, placeOf } from './csv.ts';
import { type RowFormat, rowTimeParser, UNREADABLE_ROW } from './parse-rows.ts';
import { type Body, type FileSource, InvalidResponseError } from './source.ts';
import { isObject, isoCountry, MAX_LIST_BYTES, parseJson, toStationDescription } from './station-lists.ts';

const HOST = 'https://aviationweather.gov';

/**
 * NOAA's Aviation Weather Center (https://aviationweather.gov/data/cache/). It has only the newest reports, so they are
 * read from files; its station list is fetched.
 */
export function awc(host: string = HOST): FileSource {
  return {
    kind: 'files',
    source: 'awc',
    publisher: 'NOAA AWC',
    rank: 3,
    sendsTypes: true,
    fileFormats: () => [METARS_CACHE_FORMAT],
    // Its list has the stations of today.
    descriptionRanks: { rank: 3, elevationRank: 2 },
    descriptionList: {
      request: { url: `${host}/data/cache/stations.cache.json.gz`, maxBytes: MAX_LIST_BYTES },
      parse: async (body) => ({ descriptions: await parseStations(body) }),
    },
  };
}

const COLUMNS = ['raw_text', 'station_id', 'observation_time', 'metar_type'] as const;
const PLACE_COLUMNS = ['latitude', 'longitude', 'elevation_m'] as const;

/**
 * metars.cache.csv: the newest report of every station. Files of 2025 and before have five lines before the header, and
 * reports without keyword.
 */
const METARS_CACHE_FORMAT: RowFormat = {
  name: `rows of ${COLUMNS.join(', ')}, with times such as 2024-01-31T12:51:00Z`,
  open: (header) => {
    const parseObservationTime = rowTimeParser();
    return openCsv<(typeof COLUMNS | typeof PLACE_COLUMNS)[number]>(
      header,
      COLUMNS,
      PLACE_COLUMNS,
      (value) => {
        const filedAt = parseObservationTime(value('observation_time'));
        if (filedAt === undefined) return { reason: UNREADABLE_ROW };
        const type = REPORT_TYPES.find((known) => known === value('metar_type'));
        const place = placeOf(value('latitude'), value('longitude'), value('elevation_m'));
        return { station: value('station_id'), filedAt, text: value('raw_text'), type, place };
      },
    );
  },
};

/**
 * Parses the list of stations, a JSON array in a file of gzip. The elevation is in meters, the country an ISO code.
 * Stations without METAR reports are left out.
 */
async function parseStations(body: Body): Promise<readonly StationDescription[]> {
  const rows = await parseJson(body);
  if (!Array.isArray(rows)) throw new InvalidResponseError('no list of stations');
  return rows.filter(isObject).flatMap(({ icaoId, site, country, state, lat, lon, elev, siteType }) => {
    if (typeof icaoId !== 'string' || !ICAO_CODE.test(icaoId)) return [];
    if (Array.isArray(siteType) && !siteType.includes('METAR')) return [];
    const sent = { name: site, country: isoCountry(country, state), latitude: lat, longitude: lon };
    return [toStationDescription('awc', icaoId, { ...sent, elevation_m: elev })];
  });
}
