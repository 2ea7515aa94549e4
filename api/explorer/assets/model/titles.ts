import { countryName, formatPosition } from '../format.ts';
import type { Address } from './address.ts';
import type { Station } from './requests.ts';

// The titles, and the facts of a station that need no key: the service writes them into the page, and the page again.

const SERVICE = 'Historical observations';
export const HOME_TITLE = 'METAR and SPECI reports, raw and decoded';
export const HOME_LEAD =
  'An archive of aerodrome weather reports that says of every answer how complete it is. Choose a station: by its code, name or country, or on the map.';

export function titleOf({ station, day, year, report }: Address, name?: string) {
  if (station === '') return SERVICE;
  const [, month, date, hour, minute] = /^\w+-(\d{6})(\d\d)(\d\d)(\d\d)/.exec(report) ?? [];
  const time = month && `${month.slice(0, 4)}-${month.slice(4)}-${date} ${hour}:${minute} UTC`;
  return [`${station}${name ? ` ${name}` : ''}`, time || day || year, SERVICE].filter(Boolean).join(' – ');
}

export function factsOf({ country, latitude, longitude, elevation_m }: Station): string[] {
  const isPlaced = latitude !== undefined && longitude !== undefined;
  return [
    countryName(country) ?? '',
    isPlaced ? formatPosition(latitude, longitude) : '',
    elevation_m === undefined ? '' : `${Math.round(elevation_m)} m`,
  ].filter(Boolean);
}
