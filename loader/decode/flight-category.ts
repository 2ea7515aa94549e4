import { ceiling, lowestKnownCeiling } from '../../clickhouse/model/derived-fields.ts';
import type { Decoded } from '../../clickhouse/model/fields.ts';
import type { Fields } from './fields.ts';

/**
 * Flight category as defined by the National Weather Service (Instruction 10-813; as the Aviation Weather Center prints
 * it): the worse of ceiling and visibility decides. The ceiling is the lowest broken or overcast layer or the vertical
 * visibility. If one of the two is unknown, the other decides only if nothing could be worse.
 */

/** LIFR, the worst category, is below either. M1SM is below the limit it names; meters have no mark in practice. */
const LOWEST_FEET = 500;
const LOWEST_MILES = 1;

const METERS_PER_STATUTE_MILE = 1609.344;

export function flightCategory(fields: Fields): Decoded['fltcat'] {
  if (fields.cavok) return 'VFR';
  const { visib_m, visib_sm = visib_m === undefined ? undefined : visib_m / METERS_PER_STATUTE_MILE } =
    fields;
  if (lowestKnownCeiling(fields) < LOWEST_FEET || (visib_sm ?? LOWEST_MILES) < LOWEST_MILES) return 'LIFR';
  const feet = ceiling(fields);
  if (feet === undefined || visib_sm === undefined) return undefined;
  if (feet < 1000 || visib_sm < 3) return 'IFR';
  return feet <= 3000 || visib_sm <= 5 ? 'MVFR' : 'VFR';
}
