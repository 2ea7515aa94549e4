import type { RunwayVisualRange } from '../../../clickhouse/model/fields.ts';
import { digits, endOfDigits, isDigit, isMissing } from '../characters.ts';
import { isWithinLimits, LIMITS } from '../limits.ts';
import { type ParseState, type Verdict, withGroup } from '../parse-state.ts';

/** The end of the runway designator at 1: two digits and L, C, R, LL or RR; -1 if there is none. */
function endOfRunway(token: string): number {
  if (token[0] !== 'R' || !isDigit(token, 1) || !isDigit(token, 2)) return -1;
  // 88 is all runways, 99 for a repeated message; above 50 the right one of a pair is meant (15.13).
  let end = 3;
  while (end < 5 && (token[end] === 'L' || token[end] === 'C' || token[end] === 'R')) end++;
  return end;
}

type Range = { readonly end: number; readonly value: number; readonly mod: '' | 'M' | 'P' };

function rangeFrom(token: string, start: number): Range | undefined {
  const first = token[start];
  const mod = first === 'M' || first === 'P' ? first : '';
  const from = mod === '' ? start : start + 1;
  const end = endOfDigits(token, from);
  return end - from === 4 ? { end, value: digits(token, from, end), mod } : undefined;
}

/**
 * Runway visual range RDRDR/VRVRVRVR(V VRVRVRVR)i in meters (WMO-No. 306 FM 15, 15.7), or in feet with FT (FMH-1,
 * 12.6.7; in Canada the tendency follows a solidus: R06L/4000V6000FT/U). P and M mark a value beyond the instrument's
 * range.
 */
export function readRunwayVisualRange(token: string, state: ParseState): Verdict {
  // RMID/0200D: the middle of an unnamed runway has no field.
  if (token === 'RVRNO' || (token[1] === 'M' && /^RMID\/[PM]?\d{4}[UDN]?$/.test(token))) return 'explained';
  const slash = endOfRunway(token);
  if (slash === -1 || token[slash] !== '/') return undefined;
  if (isMissing(token, slash + 1, slash + 5) && isMissing(token, slash + 5, token.length - 1))
    return 'explained';
  const low = rangeFrom(token, slash + 1);
  if (low === undefined) return undefined;
  const high = token[low.end] === 'V' ? rangeFrom(token, low.end + 1) : low;
  if (high === undefined) return undefined;
  let { end } = high;
  const feet = token.startsWith('FT', end);
  // Always in feet there, but in meters in the Caribbean. What follows the temperature is a state of the runway, cut short.
  if ((!feet && /^(?:[KPC]|T[IJ])/.test(state.station)) || state.temperature !== '') return undefined;
  if (feet) end += 2;
  if (token[end] === '/' && end + 2 >= token.length) end += 1;
  const last = token[end];
  const trend = last === 'U' || last === 'D' || last === 'N' ? last : undefined;
  if (end + (trend === undefined ? 0 : 1) !== token.length) return undefined;
  if (!isWithinLimits(LIMITS.runway, digits(token, 1, 3))) return undefined;
  const limits = feet ? LIMITS.runwayRangeInFeet : LIMITS.runwayRangeInMeters;
  if (!isWithinLimits(limits, low.value) || !isWithinLimits(limits, high.value)) return undefined;
  if (high.value < low.value) return 'contradictory';

  const varies = high !== low;
  const mod = low.mod === high.mod ? low.mod : (`${low.mod}${high.mod}` as 'M' | 'P' | 'MP');
  const range: RunwayVisualRange = {
    rwy: token.slice(1, slash),
    ...(feet ? { min_ft: low.value } : { min_m: low.value }),
    ...(varies && (feet ? { max_ft: high.value } : { max_m: high.value })),
    ...(mod !== '' && { mod }),
    ...(trend !== undefined && { trend }),
  };
  const { rvr } = state.fields;
  if (rvr === undefined) state.fields.rvr = [range];
  else (rvr as RunwayVisualRange[]).push(range);
  return 'explained';
}

/**
 * State of the runway RDRDR/ERCReReRBRBR (WMO-No. 306 FM 15, 15.13.6), CLRD// for cleared deposits, SNOCLO for an
 * aerodrome closed by snow.
 */
const RUNWAY_STATES: readonly RegExp[] = [
  /^(?:R\/)?SNOCLO$/,
  // In the former Soviet Union R08/65D also gives a dry runway and its friction. Solidi alone may be a truncated group.
  /^R\d\d[LCR]{0,2}\/(?:CLRD[\d/]{0,2}|SNOCLO|[\d/]{6}|(?:\d\d)?D|\/{2,8})$/,
  // The older MOTNE code, DRDRERCReReRBRBR, still sent there. Its eight figures look like a wind but are not.
  /^\d\d(?:CLRD[\d/]{2}|SNOCLO|[\d/]{6})$/,
  // A visual range without even a known runway.
  /^R\/{3,11}$/,
];

export function readRunwayState(token: string, state: ParseState): Verdict {
  if (!RUNWAY_STATES.some((pattern) => pattern.test(token))) return undefined;
  // R09////// gives nothing, and before the temperature it is also a visual range.
  if (/^[^/]+\/+$/.test(token)) return 'explained';
  state.fields.rwy_state = withGroup(state.fields.rwy_state, token);
  return 'explained';
}
