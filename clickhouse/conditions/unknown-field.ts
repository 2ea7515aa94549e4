import { namesInUnits } from '../model/units.ts';
import { insteadOf } from '../validation.ts';

const RUNWAY =
  'write crosswind(40), headwind(40) or tailwind(40) with the direction of a runway in whole degrees from 0 to 360, or crosswind(40;gust)';

/** The fields to name instead of a list. */
const FIELDS_OF_LISTS: ReadonlyMap<string, string> = new Map([
  ['clouds', 'ceiling_ft'],
  ['rvr', 'rvr_min_m'],
]);

/**
 * What to write in place of an unknown field.
 *
 * @param listed of the kind of rows
 * @param otherwise if no name is near
 */
export function insteadOfField(
  name: string,
  listed: readonly string[],
  otherwise = `${listed.includes('wdir') ? '/docs/decoded-fields' : '/docs/days'} lists them`,
): string {
  const ofList = FIELDS_OF_LISTS.get(name);
  if (ofList !== undefined) return `use ${ofList}, because ${name} is a list`;
  if (/^(cross|head|tail)wind/.test(name))
    return listed.includes('wdir') ? RUNWAY : 'the wind along a runway is of reports, not of days';
  const units = namesInUnits(name, listed);
  return units.length > 0 ? `write ${units.join(' or ')}` : insteadOf(name, listed, otherwise);
}
