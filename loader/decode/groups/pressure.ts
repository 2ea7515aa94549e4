import { digits, endOfDigits, isMissing } from '../characters.ts';
import { isWithin, LIMITS } from '../limits.ts';
import type { ParseState, Verdict } from '../parse-state.ts';

/**
 * QNH in hectopascals, QPHPHPHPH (WMO-No. 306 FM 15, 15.12), or the altimeter in hundredths of an inch of mercury,
 * APHPHPHPH (FMH-1, 12.6.11). If both are sent, hectopascals count.
 */

export const HPA_PER_INCH = 33.8639;
/** Q is truncated to whole hectopascals (15.12), so the two may differ by one plus a rounding error. */
const HIGHEST_DISAGREEMENT_HPA = 2.5;

/** The record low over land outside tropical cyclones: Stórhöfði 1929, 919.7. */
export const LOWEST_OUTSIDE_CYCLONES_HPA = 919;

export const tenth = (value: number): number => Math.round(value * 10) / 10;

export function readHectopascals(token: string, state: ParseState): Verdict {
  if (token[0] !== 'Q') return undefined;
  if (token.length >= 3 && isMissing(token, 1, token.length)) return 'explained';
  const end = endOfDigits(token, 1);
  if (end !== 5 && !(end === 4 && token[1] === '9')) return undefined;
  let value = digits(token, 1, end);
  if (end < token.length) {
    // Tenths, sent by Pakistan as Q1018.2.
    if (token.length !== end + 2 || (token[end] !== '.' && token[end] !== '/')) return undefined;
    const tenths = digits(token, end + 1, end + 2);
    if (tenths === -1) return undefined;
    value = tenth(value + tenths / 10);
  }
  return keepHectopascals(token, state, value);
}

function keepHectopascals(token: string, state: ParseState, value: number): Verdict {
  if (!isWithin(LIMITS.qnh, value)) return undefined;
  if (state.hectopascals !== '') return state.hectopascals === token ? 'explained' : 'contradictory';
  state.hectopascals = token;
  if (value < LOWEST_OUTSIDE_CYCLONES_HPA) state.hasBounds = true;
  const { fields } = state;
  const other = fields.altim_hpa;
  fields.altim_hpa = value;
  return agrees(other, value) ? 'explained' : 'contradictory';
}

export function readInches(token: string, state: ParseState): Verdict {
  if (token[0] !== 'A') return undefined;
  if (token.length === 5 && isMissing(token, 1, 5)) return 'explained';
  const point = token.length === 6 && (token[3] === '.' || token[3] === '/') ? 1 : 0;
  if (token.length !== 5 + point) return undefined;
  const whole = digits(token, 1, 3);
  const hundredths = digits(token, 3 + point, 5 + point);
  if (whole === -1 || hundredths === -1) return undefined;
  return keepInches(token, state, whole * 100 + hundredths);
}

function keepInches(token: string, state: ParseState, hundredths: number): Verdict {
  const value = tenth((hundredths / 100) * HPA_PER_INCH);
  if (!isWithin(LIMITS.qnh, value)) return undefined;
  if (state.inches !== '') return state.inches === token ? 'explained' : 'contradictory';
  state.inches = token;
  if (value < LOWEST_OUTSIDE_CYCLONES_HPA) state.hasBounds = true;
  const { fields } = state;
  fields.altim_inhg = hundredths / 100;
  const other = fields.altim_hpa;
  if (other === undefined) fields.altim_hpa = value;
  return agrees(other, value) ? 'explained' : 'contradictory';
}

const agrees = (one: number | undefined, other: number): boolean =>
  one === undefined || Math.abs(one - other) <= HIGHEST_DISAGREEMENT_HPA;
