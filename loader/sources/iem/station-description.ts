import type { StationDescription } from '../../../clickhouse/stations/station-descriptions.ts';
import { isoCountry } from '../countries.ts';
import { toStationDescription } from '../description-values.ts';
import type { StationRow } from './station-rows.ts';

/** IEM's countries are ISO codes; some are withdrawn, such as AN, and its military stations have UN. */
export function describeStation(station: string, row: StationRow | undefined): StationDescription {
  return toStationDescription('iem', station, {
    name: row?.name,
    country: isoCountry(row?.country, row?.state),
    latitude: row?.latitude,
    longitude: row?.longitude,
    elevation_m: row?.elevation,
    timezone: row?.tzname,
  });
}
