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
  const ceiling = ceilingOf(fields);
  if (ceiling === undefined || fields.visib_m === undefined) return undefined;
  const miles = fields.visib_sm ?? fields.visib_m / METRES_PER_STATUTE_MILE;
  // Less than one mile (M1SM) is below the limit that it names; metres carry no such mark in practice.
  for (const [category, feet, statuteMiles] of LIMITS) {
    if (ceiling < feet || miles < statuteMiles) return category;
  }
  return ceiling <= 3000 || miles <= 5 ? 'MVFR' : 'VFR';
}

function ceilingOf({ clouds, vvis_ft, clouds_unknown }: Fields): number | undefined {
  if (vvis_ft !== undefined) return vvis_ft;
  if (clouds === undefined) return undefined;
  let lowest = Number.POSITIVE_INFINITY;
  for (const { cover, base_ft } of clouds) {
    if (cover !== 'BKN' && cover !== 'OVC' && cover !== 'VV') continue;
    if (base_ft === undefined) return undefined;
    if (base_ft < lowest) lowest = base_ft;
  }
  // A layer of which the amount is not known may be the ceiling.
  return clouds_unknown !== undefined && lowestBaseOf(clouds_unknown) < lowest ? undefined : lowest;
}

/** The lowest height of `///015 ///030CB`, in feet. */
const lowestBaseOf = (layers: string): number =>
  Math.min(...layers.split(' ').map((layer) => Number(layer.slice(3, 6)) * 100));
