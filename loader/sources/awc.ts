import { ICAO_CODE } from '../../clickhouse/model/report.ts';
import type { StationDescription } from '../../clickhouse/stations.ts';
import { AWC_JSON, AWC_NAMES, AWC_XML, type AwcName, awcRowReader } from './awc-api.ts';
import { openCsv } from './csv.ts';
import type { RowFormat } from './format.ts';
import { type Body, type FileSource, InvalidResponseError } from './source.ts';
import { isObject, isoCountry, MAX_LIST_BYTES, parseJson, toStationDescription } from './station-lists.ts';

/**
 * NOAA's Aviation Weather Center (https://aviationweather.gov/data/cache/). It has only the newest reports, so they are
 * read from files; its station list is fetched.
 */
export function awc(host = 'https://aviationweather.gov'): FileSource {
  return {
    kind: 'files',
    source: 'awc',
    publisher: 'NOAA AWC',
    rank: 3,
    sendsTypes: true,
    fileFormats: () => [METARS_CACHE_FORMAT],
    wholeFileFormats: [AWC_XML, AWC_JSON],
    // Its list has the stations of today.
    descriptionRanks: { rank: 3, elevationRank: 2 },
    descriptionList: {
      request: { url: `${host}/data/cache/stations.cache.json.gz`, maxBytes: MAX_LIST_BYTES },
      parse: async (body) => ({ descriptions: await parseAwcStations(body) }),
    },
  };
}

/**
 * metars.cache.csv: the newest report of every station. Files of 2025 and before have five lines before the header, and
 * reports without keyword.
 */
const METARS_CACHE_FORMAT: RowFormat = {
  name: `rows of ${AWC_NAMES.required.join(', ')}, with times such as 2024-01-31T12:51:00Z`,
  open: (header) => openCsv<AwcName>(header, AWC_NAMES.required, AWC_NAMES.optional, awcRowReader()),
};

/**
 * Parses the list of stations, a JSON array in a file of gzip. The elevation is in meters, the country an ISO code.
 * Stations without METAR reports are left out.
 */
async function parseAwcStations(body: Body): Promise<readonly StationDescription[]> {
  const rows = await parseJson(body);
  if (!Array.isArray(rows)) throw new InvalidResponseError('no list of stations');
  return rows.filter(isObject).flatMap(({ icaoId, site, country, state, lat, lon, elev, siteType }) => {
    if (typeof icaoId !== 'string' || !ICAO_CODE.test(icaoId)) return [];
    if (Array.isArray(siteType) && !siteType.includes('METAR')) return [];
    const sent = { name: site, country: isoCountry(country, state), latitude: lat, longitude: lon };
    return [toStationDescription('awc', icaoId, { ...sent, elevation_m: elev })];
  });
}
