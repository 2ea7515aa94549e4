import type { RunwayVisualRange } from '../../../clickhouse/model/fields.ts';
import { isWithinLimits, LIMITS } from '../limits.ts';
import { type ParseState, type Verdict, withGroup } from '../parse-state.ts';

/** 88 is all runways, 99 a repeated message; above 50 the right one of a pair is meant (15.13). */
const VISUAL_RANGE = /^R(\d\d[LCR]{0,2})\/([MP]?)(\d{4})(?:V([MP]?)(\d{4}))?(FT)?\/?([UDN])?$/;

/** RMID/0200D: the middle of an unnamed runway has no field. */
const WITHOUT_RANGE = /^(?:RVRNO|RMID\/[PM]?\d{4}[UDN]?|R\d\d[LCR]{0,2}\/{5}(?:\/*.)?)$/s;

/**
 * Runway visual range RDRDR/VRVRVRVR(V VRVRVRVR)i in meters (WMO-No. 306 FM 15, 15.7), or in feet with FT (FMH-1,
 * 12.6.7; in Canada the tendency follows a solidus: R06L/4000V6000FT/U). P and M mark a value beyond the instrument's
 * range.
 */
export function readRunwayVisualRange(token: string, state: ParseState): Verdict {
  if (WITHOUT_RANGE.test(token)) return 'explained';
  const [, rwy, lowMod = '', low, highMod = lowMod, high, ft, trend] = VISUAL_RANGE.exec(token) ?? [];
  if (rwy === undefined || !isWithinLimits(LIMITS.runway, Number(rwy.slice(0, 2)))) return undefined;
  const feet = ft !== undefined;
  // Always in feet there, but in meters in the Caribbean. What follows the temperature is a state of the runway, cut short.
  if ((!feet && /^(?:[KPC]|T[IJ])/.test(state.station)) || state.temperature !== '') return undefined;
  const limits = feet ? LIMITS.runwayRangeInFeet : LIMITS.runwayRangeInMeters;
  const [least, most] = [Number(low), Number(high ?? low)];
  if (!isWithinLimits(limits, least) || !isWithinLimits(limits, most)) return undefined;
  if (most < least) return 'contradictory';

  const mod = lowMod === highMod ? lowMod : `${lowMod}${highMod}`;
  const range = {
    rwy,
    ...(feet ? { min_ft: least } : { min_m: least }),
    ...(high !== undefined && (feet ? { max_ft: most } : { max_m: most })),
    ...(mod !== '' && { mod }),
    ...(trend !== undefined && { trend }),
  } as RunwayVisualRange;
  state.fields.rvr ??= [];
  (state.fields.rvr as RunwayVisualRange[]).push(range);
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
