import { gunzipSync } from 'node:zlib';
import { ICAO_CODE } from '../../clickhouse/model/report.ts';
import type { StationDescription } from '../../clickhouse/stations/station-descriptions.ts';
import { isoCountry } from './countries.ts';
import { toStationDescription } from './description-values.ts';
import { type Body, bytesOf, InvalidResponseError } from './source.ts';

const HOST = 'https://aviationweather.gov';

export function awcStationsUrl(host: string = HOST): string {
  return `${host}/data/cache/stations.cache.json.gz`;
}

/**
 * Parses the list of stations of NOAA's Aviation Weather Center: a JSON array, compressed with gzip in the file; a server
 * may also send it as content encoding, which `fetch` has removed then. The elevation is in metres, the country an ISO
 * code. Stations without METAR reports are left out.
 */
export async function parseAwcStations(body: Body): Promise<readonly StationDescription[]> {
  const rows = parseRows(await bytesOf(body));
  return rows.flatMap(({ icaoId, site, country, state, lat, lon, elev, siteType }) => {
    if (typeof icaoId !== 'string' || !ICAO_CODE.test(icaoId)) return [];
    if (Array.isArray(siteType) && !siteType.includes('METAR')) return [];
    const values = { latitude: lat, longitude: lon, elevation_m: elev };
    return [
      toStationDescription('awc', icaoId, { name: site, country: isoCountry(country, state), ...values }),
    ];
  });
}

type Row = Readonly<
  Partial<Record<'icaoId' | 'site' | 'country' | 'state' | 'lat' | 'lon' | 'elev' | 'siteType', unknown>>
>;

function parseRows(bytes: Buffer): readonly Row[] {
  try {
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const rows: unknown = JSON.parse((isGzip ? gunzipSync(bytes) : bytes).toString('utf8'));
    if (Array.isArray(rows)) return rows.filter((row) => typeof row === 'object' && row !== null);
  } catch {
    // What is no JSON is no list either.
  }
  throw new InvalidResponseError('no list of stations');
}
