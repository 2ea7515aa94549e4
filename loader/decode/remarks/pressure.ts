import { digits } from '../characters.ts';
import { HPA_PER_INCH } from '../groups/pressure.ts';
import { keepSeaLevelPressure } from '../groups/sea-level-pressure.ts';
import { isWithin, LIMITS } from '../limits.ts';
import type { ParseState } from '../parse-state.ts';
import { readHourlyTemperature } from './temperature.ts';

/** Sea-level pressure SLPppp (FMH-1, 12.7.1) and pressure tendency 5appp (12.7.2.h; code table 0200). */

/** SLP125, torn as `SLP 125`, or with the T-group glued on (SLP169T03060244). */
export function readSeaLevelPressure(token: string, state: ParseState): void {
  if (token.length === 15 && token[6] === 'T') {
    keepSeaLevelPressure(token.slice(0, 6), state);
    readHourlyTemperature(token.slice(6), state);
    return;
  }
  if (token.length === 6) state.hasAdditiveData = true;
  const next = state.tokens[state.at + 1] ?? '';
  const torn = token === 'SLP' && next.length === 3;
  if (keepSeaLevelPressure(torn ? token + next : token, state) && torn) state.at += 1;
}

/** The amount is sent without its sign; characteristics 5 to 8 are falls, 4 is steady. */
export function readTendency(token: string, { fields }: ParseState): void {
  const characteristic = digits(token, 1, 2);
  const tenths = digits(token, 2, 5);
  if (!isWithin(LIMITS.pressureTendency, tenths / 10)) return;
  if (characteristic > 8 || characteristic === -1 || tenths === -1 || fields.ptend !== undefined) return;
  fields.ptend = characteristic;
  fields.ptend_hpa = characteristic >= 5 && tenths !== 0 ? -tenths / 10 : tenths / 10;
}

/** Japan, Korea and others repeat the altimeter in inches after RMK; it never replaces the body's. */
export function readRepeatedInches(token: string, state: ParseState): void {
  if (state.inches !== '' || state.hectopascals === '') return;
  const inches = digits(token, 1, 5) / 100;
  const { fields } = state;
  if (fields.altim_hpa !== undefined && Math.abs(inches * HPA_PER_INCH - fields.altim_hpa) <= 2.5) {
    fields.altim_inhg ??= inches;
  }
}
