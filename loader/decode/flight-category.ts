import { ceiling } from '../../clickhouse/model/derived-fields.ts';
import type { Decoded } from '../../clickhouse/model/fields.ts';
import type { Fields } from './fields.ts';

/**
 * Flight category after the National Weather Service (Instruction 10-813; as the Aviation Weather Center
 * prints it): the worse of ceiling and visibility decides. The ceiling is the lowest broken or overcast layer
 * or the vertical visibility. Undefined where either is not known.
 */

/** Worst first: below the ceiling in feet, or below the visibility in miles, the category holds. */
const LIMITS = [
  ['LIFR', 500, 1],
  ['IFR', 1000, 3],
] as const;

const METRES_PER_STATUTE_MILE = 1609.344;

export function flightCategory(fields: Fields): Decoded['fltcat'] {
  if (fields.cavok) return 'VFR';
  const feet = ceiling(fields);
  if (feet === undefined || fields.visib_m === undefined) return undefined;
  const miles = fields.visib_sm ?? fields.visib_m / METRES_PER_STATUTE_MILE;
  // Less than one mile (M1SM) is below the limit that it names; metres carry no such mark in practice.
  for (const [category, leastFeet, leastMiles] of LIMITS) {
    if (feet < leastFeet || miles < leastMiles) return category;
  }
  return feet <= 3000 || miles <= 5 ? 'MVFR' : 'VFR';
}
