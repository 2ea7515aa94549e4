import { ICAO_CODE } from '../../clickhouse/model/report.ts';
import type { StationDescription } from '../../clickhouse/stations/station-descriptions.ts';
import { isoCountry } from './countries.ts';
import { toStationDescription } from './description-values.ts';
import { parseJson } from './json-body.ts';
import { type Body, InvalidResponseError } from './source.ts';

/**
 * Parses the list of stations of NOAA's Aviation Weather Center: a JSON array in a file of gzip. The elevation is in
 * metres, the country an ISO code. Stations without METAR reports are left out.
 */
export async function parseAwcStations(body: Body): Promise<readonly StationDescription[]> {
  const rows = await parseRows(body);
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

async function parseRows(body: Body): Promise<readonly Row[]> {
  const rows = await parseJson(body);
  if (!Array.isArray(rows)) throw new InvalidResponseError('no list of stations');
  return rows.filter((row) => typeof row === 'object' && row !== null);
}
