import type { RunwayVisualRange } from '../../../clickhouse/model/fields.ts';
import { digits, endOfDigits, isDigit, isMissing } from '../characters.ts';
import { isWithin, LIMITS } from '../limits.ts';
import type { ParseState, Verdict } from '../parse-state.ts';

/**
 * Runway visual range RDRDR/VRVRVRVR(V VRVRVRVR)i in meters (WMO-No. 306 FM 15, 15.7), or in feet with FT (FMH-1,
 * 12.6.7; in Canada the tendency follows a solidus: R06L/4000V6000FT/U). P and M mark a value beyond the instrument's
 * range.
 */

/** The end of the runway designator at 1: two digits and L, C, R, LL or RR; -1 if there is none. */
export function endOfRunway(token: string): number {
  if (token[0] !== 'R' || !isDigit(token, 1) || !isDigit(token, 2)) return -1;
  // 88 is all runways, 99 for a repeated message; above 50 the right one of a pair is meant (15.13).
  let end = 3;
  while (end < 5 && (token[end] === 'L' || token[end] === 'C' || token[end] === 'R')) end++;
  return end;
}

type Writable = { -readonly [K in keyof RunwayVisualRange]: RunwayVisualRange[K] };

type Range = { readonly end: number; readonly value: number; readonly mod: '' | 'M' | 'P' };

function rangeFrom(token: string, start: number): Range | undefined {
  const first = token[start];
  const mod = first === 'M' || first === 'P' ? first : '';
  const from = mod === '' ? start : start + 1;
  const end = endOfDigits(token, from);
  return end - from === 4 ? { end, value: digits(token, from, end), mod } : undefined;
}

export function readRunwayVisualRange(token: string, state: ParseState): Verdict {
  if (token === 'RVRNO') return 'explained';
  const slash = endOfRunway(token);
  if (slash === -1 || token[slash] !== '/') return undefined;
  if (isMissing(token, slash + 1, slash + 5) && isMissing(token, slash + 5, token.length - 1))
    return 'explained';
  const low = rangeFrom(token, slash + 1);
  if (low === undefined) return undefined;
  const high = token[low.end] === 'V' ? rangeFrom(token, low.end + 1) : undefined;
  if (token[low.end] === 'V' && high === undefined) return undefined;
  let end = (high ?? low).end;
  const feet = token.startsWith('FT', end);
  if (feet) end += 2;
  if (token[end] === '/' && end + 2 >= token.length) end += 1;
  const last = token[end];
  const trend = last === 'U' || last === 'D' || last === 'N' ? last : undefined;
  if (end + (trend === undefined ? 0 : 1) !== token.length) return undefined;
  if (!isWithin(LIMITS.runway, digits(token, 1, 3))) return undefined;
  const limits = feet ? LIMITS.runwayRangeInFeet : LIMITS.runwayRangeInMetres;
  if (!isWithin(limits, low.value) || !isWithin(limits, (high ?? low).value)) return undefined;
  if (high !== undefined && high.value < low.value) return 'contradictory';

  const range: Writable = { rwy: token.slice(1, slash) };
  if (feet) range.min_ft = low.value;
  else range.min_m = low.value;
  if (high !== undefined) {
    if (feet) range.max_ft = high.value;
    else range.max_m = high.value;
  }
  const mod =
    high === undefined || low.mod === high.mod ? low.mod : (`${low.mod}${high.mod}` as 'M' | 'P' | 'MP');
  if (mod !== '') range.mod = mod;
  if (trend !== undefined) range.trend = trend;
  const { rvr } = state.fields;
  if (rvr === undefined) state.fields.rvr = [range];
  else (rvr as RunwayVisualRange[]).push(range);
  return 'explained';
}
