import lookup from '@photostructure/tz-lookup';
import type { Coordinates } from '../../clickhouse/stations/station-descriptions.ts';

/**
 * The IANA name of the time zone at a position, such as `America/New_York`; at sea the nautical zone, such as
 * `Etc/GMT+10`. Source: timezone-boundary-builder, in cells of about 80 m along populated borders and coarser ones
 * elsewhere.
 */
export function timeZoneAt({ latitude, longitude }: Coordinates): string {
  return lookup(latitude, longitude);
}
