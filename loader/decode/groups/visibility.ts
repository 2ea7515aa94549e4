import { digits, endOfDigits, isMissing } from '../characters.ts';
import { isWithinLimits, LIMITS } from '../limits.ts';
import type { ParseState, Verdict } from '../parse-state.ts';
import { isPresentWeather } from './weather.ts';

/**
 * Prevailing and minimum visibility: VVVV, VVVVNDV, VNVNVNVNDv (WMO-No. 306 FM 15, 15.6), and statute miles (FMH-1,
 * 12.6.6). 9999 is 10 km or more. M and P stand for less and more than. Kilometers are Austrian (30KM; 9KM in the United
 * States and Canada is 9SM), a bare M after meters Pakistani (4000M).
 */

export const METERS_PER_STATUTE_MILE = 1609.344;

type Mod = 'M' | 'P' | undefined;

const modOf = (token: string): Mod => {
  const first = token[0];
  return first === 'M' || first === 'P' ? first : undefined;
};

const COMPASS = new Set(['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW']);

/** After the meters: no directional variation, the unit (Pakistan), or an unknown direction. */
const TAILS = new Set(['NDV', 'M', '/', '//']);

/**
 * Meters, or -1. Visibility is given in steps of 50 m below 800 m, 100 m below 5 km and 1 km above (15.6), fog at some
 * aerodromes in steps of 25 m. Other figures are not a visibility: 1716 is 17/16 without its solidus.
 */
const metersFrom = (token: string, start: number): number => {
  const meters = digits(token, start, start + 4);
  if (meters === 9999) return 10_000;
  return meters % (meters < 800 ? 25 : 50) === 0 ? meters : -1;
};

export function readMetricVisibility(token: string, state: ParseState): Verdict {
  if (token[0] === '/' && isMissing(token, 0, 4) && (token.length === 4 || token === '////NDV'))
    return 'explained';
  const mod = modOf(token);
  const start = mod === undefined ? 0 : 1;
  const meters = metersFrom(token, start);
  if (meters === -1) return inKilometers(token, state);
  // After the temperature, four digits are not a visibility but a pressure without its letter.
  if (state.temperature !== '') return undefined;
  // `CLR 2200 A3013` is 22/00.
  if (state.sky !== '' && /^[AQ]\d{4}/.test(state.tokens[state.at + 1] ?? '')) return undefined;
  const tail = token.length === start + 4 ? tornDirection(meters, state) : token.slice(start + 4);
  // `9999M 02/M04`: M is the minus of the temperature.
  if (tail === 'M' && /^\d\d\//.test(state.tokens[state.at + 1] ?? '')) return undefined;
  // `9999//`: no direction follows the prevailing visibility, so it is the missing weather, unless weather follows.
  if (tail === '//' && state.visibility === '' && !isPresentWeather(state.tokens[state.at + 1] ?? ''))
    state.fields.wx_missing = true;
  if (tail === '' || TAILS.has(tail)) {
    if (mod === undefined && isMinimum(state, meters)) {
      state.fields.visib_min_m = meters;
      return 'explained';
    }
    return keepVisibility(token, state, meters, mod);
  }
  const direction = COMPASS.has(tail) ? tail : romanceDirection(tail, state.station);
  if (direction === undefined) return undefined;
  // 15.6.1: after solidi for the prevailing visibility (`//// 0500NE`), it is only the minimum.
  const isPrevailing = state.visibility === '' && state.tokens[state.at - 1] !== '////';
  if (isPrevailing && keepVisibility(token, state, meters) !== 'explained') return undefined;
  // The direction with better visibility (4000S 9999N) has no field, and 10 km or more is no minimum (9999N).
  const { visib_m, visib_min_m } = state.fields;
  if (meters < LOWEST_CAVOK_METERS && meters <= (visib_min_m ?? visib_m ?? meters)) {
    state.fields.visib_min_m = meters;
    state.fields.visib_min_dir = direction;
  }
  return 'explained';
}

/**
 * 0500NO: the points of the compass are English (15.6.2), and O is none of them. Where the language has only one reading,
 * O is west: ouest, oeste, ovest. In German and in the north NO is northeast, so it is not read there.
 */
const romanceDirection = (tail: string, station: string): string | undefined =>
  /^[NS]?O$/.test(tail) && /^(?:L[EFIP]|[MS]|TF)/.test(station) ? tail.replace('O', 'W') : undefined;

/** Below it, a minimum is given (15.6.2). */
const HIGHEST_MINIMUM_METERS = 5000;

/**
 * `5000 W SCT025`: with a blank before the direction. Before anything but weather or a layer, it is more likely a piece of
 * the sky: `8000 N S C`, `9999 S CT040`, `6000 N 27/09`.
 */
function tornDirection(meters: number, state: ParseState): string {
  const next = state.tokens[state.at + 1] ?? '';
  if (next.length > 2 || !COMPASS.has(next) || meters > HIGHEST_MINIMUM_METERS) return '';
  const after = state.tokens[state.at + 2] ?? '';
  if (!/^(?:FEW|SCT|BKN|OVC|NSC|SKC|NCD|VV|R\d\d|\d{4})/.test(after) && !isPresentWeather(after)) return '';
  state.at += 1;
  return next;
}

/** 15.6: if the direction of the lowest visibility is unknown, it follows the prevailing one without a direction. */
const isMinimum = (state: ParseState, meters: number): boolean =>
  state.visibility !== '' &&
  state.tokens[state.at - 1] === state.visibility &&
  state.fields.visib_sm === undefined &&
  state.fields.visib_min_m === undefined &&
  !state.fields.cavok &&
  meters < (state.fields.visib_m ?? 0);

function inKilometers(token: string, state: ParseState): Verdict {
  const end = token.length - 2;
  if (end < 1 || end > 3 || !token.endsWith('KM') || /^[KC]/.test(state.station)) return undefined;
  const kilometers = digits(token, 0, end);
  // A distance in a remark is not the visibility: `VIS RED 4KM`, `CB/4/C STN 5KM S`.
  if (kilometers === -1 || state.plainLanguage || state.temperature !== '') return undefined;
  return keepVisibility(token, state, kilometers * 1000);
}

export function readStatuteMiles(token: string, state: ParseState): Verdict {
  const end = token.length - 2;
  if (end < 1 || token[end] !== 'S' || token[end + 1] !== 'M') return undefined;
  if (token[0] === '/' && isMissing(token, 0, end)) return 'explained';
  const mod = modOf(token);
  const miles = milesFrom(token, mod === undefined ? 0 : 1, end);
  return miles === -1 ? undefined : keepMiles(token, state, miles, mod);
}

/** Whole miles and the fraction are sent separately: `1 1/2SM`, also with the next group glued on: `1 1/2SMBR`. */
export function readSplitMiles(token: string, state: ParseState): Verdict {
  const next = (token.length < 3 && state.tokens[state.at + 1]) || '';
  const torn = state.tokens[state.at + 2] === 'SM';
  const end = torn ? next.length : next.indexOf('SM');
  const mod = modOf(token);
  const whole = digits(token, mod === undefined ? 0 : 1, token.length);
  const fraction = next.includes('/') ? milesFrom(next, 0, end) : -1;
  if (whole === -1 || whole > HIGHEST_BEFORE_FRACTION || fraction === -1 || fraction >= 1 || token === mod)
    return undefined;
  if (next.length > end + 2) state.tokens[state.at + 1] = next.slice(end + 2);
  else state.at += torn ? 2 : 1;
  return keepMiles(`${token} ${next}`, state, whole + fraction, mod);
}

/** The highest with a fraction in all 5,065 reports at hand. */
const HIGHEST_BEFORE_FRACTION = 3;

function milesFrom(token: string, start: number, end: number): number {
  const slash = endOfDigits(token, start);
  if (slash === start) return -1;
  if (slash === end) return end - start <= 2 ? digits(token, start, end) : -1;
  if (token[slash] !== '/') return -1;
  const numerator = digits(token, start, slash);
  const denominator = slash + 1 < end ? digits(token, slash + 1, end) : -1;
  // Halves to sixteenths are the only steps of FMH-1 table 12-1; anything else is garbled.
  if (denominator !== 2 && denominator !== 4 && denominator !== 8 && denominator !== 16) return -1;
  if (numerator >= 1 && numerator < denominator) return numerator / denominator;
  // 11/2SM can only be 1 1/2SM without its blank.
  const whole = Math.floor(numerator / 10);
  const rest = numerator % 10;
  return whole >= 1 && whole <= HIGHEST_BEFORE_FRACTION && rest >= 1 && rest < denominator
    ? whole + rest / denominator
    : -1;
}

/** M comes only with the lowest step (FMH-1, 12.6.6), P with 6 miles and more: `M14SM` has lost its solidus. */
function keepMiles(token: string, state: ParseState, miles: number, mod: Mod): Verdict {
  if ((mod === 'M' && miles !== 0.25) || (mod === 'P' && miles < 6)) return undefined;
  // Table 12-1: above 15 in fives. 34SM has lost the solidus too.
  if (miles > 15 && miles % 5 !== 0) return undefined;
  const verdict = keepVisibility(token, state, Math.round(miles * METERS_PER_STATUTE_MILE), mod);
  if (verdict === 'explained') state.fields.visib_sm ??= miles;
  return verdict;
}

function keepVisibility(token: string, state: ParseState, meters: number, mod?: Mod): Verdict {
  if (!isWithinLimits(LIMITS.visibility, meters)) return undefined;
  if (state.visibility !== '') {
    // `CAVOK 9999` says the same thing twice, as `9999 CAVOK` does.
    const isRepeated = state.visibility === token || (state.fields.cavok && meters >= LOWEST_CAVOK_METERS);
    return isRepeated ? 'explained' : 'contradictory';
  }
  state.visibility = token;
  state.fields.visib_m = meters;
  state.fields.visib_mod = mod;
  return 'explained';
}

const LOWEST_CAVOK_METERS = 10_000;

/** CAVOK (15.10): visibility of 10 km or more, no significant cloud, no weather. */
export function readCavok(token: string, state: ParseState): Verdict {
  if (token !== 'CAVOK') return undefined;
  if (state.fields.cavok) return 'explained';
  if (state.sky !== '' || (state.fields.visib_m ?? LOWEST_CAVOK_METERS) < LOWEST_CAVOK_METERS)
    return 'contradictory';
  state.visibility = token;
  state.sky = token;
  state.fields.cavok = true;
  state.fields.visib_m = LOWEST_CAVOK_METERS;
  return 'explained';
}
