import lookup from '@photostructure/tz-lookup';
import type { Coordinates } from '../../clickhouse/stations/station-descriptions.ts';

/**
 * The IANA name of the time zone at a position, as in `America/New_York`; at sea that of the nautical zone, as in
 * `Etc/GMT+10`. Source: timezone-boundary-builder, in cells of some 80 m along borders that people live at, and coarser
 * ones elsewhere.
 */
export function timeZoneAt({ latitude, longitude }: Coordinates): string {
  return lookup(latitude, longitude);
}
