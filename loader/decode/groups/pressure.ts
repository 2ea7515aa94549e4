import { digits, endOfDigits, isMissing } from '../characters.ts';
import { isWithinLimits, LIMITS } from '../limits.ts';
import type { Fields, ParseState, Verdict } from '../parse-state.ts';
import { readHourlyTemperature } from './temperature.ts';

/**
 * QNH in hectopascals, QPHPHPHPH (WMO-No. 306 FM 15, 15.12), or the altimeter in hundredths of an inch of mercury,
 * APHPHPHPH (FMH-1, 12.6.11). If both are sent, hectopascals count.
 */

export const HPA_PER_INCH = 33.8639;
/** Q is truncated to whole hectopascals (15.12), so the two may differ by one plus a rounding error. */
const HIGHEST_DISAGREEMENT_HPA = 2.5;

/** The record low over land outside tropical cyclones: Stórhöfði 1929, 919.7. */
export const LOWEST_OUTSIDE_CYCLONES_HPA = 919;

const tenth = (value: number): number => Math.round(value * 10) / 10;

const agrees = (one: number | undefined, other: number): boolean =>
  one === undefined || Math.abs(one - other) <= HIGHEST_DISAGREEMENT_HPA;

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
  if (!isWithinLimits(LIMITS.qnh, value)) return undefined;
  if (state.hectopascals !== '') return state.hectopascals === token ? 'explained' : 'contradictory';
  state.hectopascals = token;
  const { altim_hpa } = state.fields;
  state.fields.altim_hpa = value;
  return agrees(altim_hpa, value) ? 'explained' : 'contradictory';
}

export function readInches(token: string, state: ParseState): Verdict {
  if (token[0] !== 'A') return undefined;
  if (token.length === 5 && isMissing(token, 1, 5)) return 'explained';
  const point = token.length === 6 && (token[3] === '.' || token[3] === '/') ? 1 : 0;
  if (token.length !== 5 + point) return undefined;
  const whole = digits(token, 1, 3);
  const decimals = digits(token, 3 + point, 5 + point);
  if (whole === -1 || decimals === -1) return undefined;
  const inches = (whole * 100 + decimals) / 100;
  const value = tenth(inches * HPA_PER_INCH);
  if (!isWithinLimits(LIMITS.qnh, value)) return undefined;
  if (state.inches !== '') return state.inches === token ? 'explained' : 'contradictory';
  state.inches = token;
  const { altim_hpa } = state.fields;
  state.fields.altim_inhg = inches;
  if (altim_hpa === undefined) state.fields.altim_hpa = value;
  return agrees(altim_hpa, value) ? 'explained' : 'contradictory';
}

/** Japan, Korea and others repeat the altimeter in inches after RMK; it never replaces the body's. */
export function readRepeatedInches(token: string, { fields, inches, hectopascals }: ParseState): void {
  if (inches !== '' || hectopascals === '' || fields.altim_hpa === undefined) return;
  const repeated = digits(token, 1, 5) / 100;
  if (agrees(fields.altim_hpa, repeated * HPA_PER_INCH)) fields.altim_inhg ??= repeated;
}

/**
 * Without an altimeter: 960.0 to 1059.9 hPa covers all but the rarest pressures. SLP450 to SLP599 are arctic highs in all 113
 * reports at hand whose altimeter is known. With the wind of a storm they may be a deep low, and are not read.
 */
const MIDDLE_OF_ALL_HPA = 1010;
const AMBIGUOUS_TENTHS = { lowest: 450, highest: 599 };

/** A tropical storm has winds of 34 knots or more (WMO-No. 471), and so has a gale, force 8 of Beaufort (WMO-No. 8). */
export const LOWEST_STORM_KT = 34;

export const strongestWind = ({ wspd_kt = 0, wgst_kt = 0 }: Pick<Fields, 'wspd_kt' | 'wgst_kt'>): number =>
  Math.max(wspd_kt, wgst_kt);

const isStorm = (fields: Fields): boolean =>
  Math.max(strongestWind(fields), fields.pk_wspd_kt ?? 0) >= LOWEST_STORM_KT;

/** SLPppp (FMH-1, 12.7.1). The hundreds are not sent: of 9pp.p and 10pp.p, the one nearer to the altimeter is meant. */
function keepSeaLevelPressure(token: string, state: ParseState): boolean {
  const { fields } = state;
  if (token.length !== 6 || fields.slp_hpa !== undefined) return false;
  const tenths = digits(token, 3, 6);
  if (tenths === -1) return false;
  const low = 900 + tenths / 10;
  const high = 1000 + tenths / 10;
  if (fields.altim_hpa === undefined && isWithinLimits(AMBIGUOUS_TENTHS, tenths) && isStorm(fields))
    return false;
  const near = fields.altim_hpa ?? MIDDLE_OF_ALL_HPA;
  const value = Math.abs(low - near) < Math.abs(high - near) ? low : high;
  if (!isWithinLimits(LIMITS.qnh, value)) return false;
  if (fields.altim_hpa !== undefined && !isWithinLimits(LIMITS.qnhToSeaLevel, Math.abs(value - near)))
    return false;
  fields.slp_hpa = tenth(value);
  return true;
}

/** Mexican reports have it in the body too. */
export const readBodySeaLevelPressure = (token: string, state: ParseState): Verdict =>
  token.startsWith('SLP') && keepSeaLevelPressure(token, state) ? 'explained' : undefined;

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

/**
 * Pressure tendency 5appp (FMH-1, 12.7.2.h; code table 0200). The amount is sent without its sign; characteristics 5 to
 * 8 are falls, 4 is steady.
 */
export function readTendency(token: string, state: ParseState): void {
  // With an amount of the hour 50RRR is one too, also where a slip hides appp.
  const isAmount = isFromSao(state) && state.fields.pcp1h_in !== undefined;
  if (state.hasBareTendency || isAmount) readSixHoursInMillimeters(token, state);
  else keepTendency(token, 1, state);
}

/** Canada's automatic stations without a precipitation discriminator, whose reports it translates from the SAO form. */
export const isFromSao = ({ station, fields }: ParseState): boolean =>
  station[0] === 'C' && fields.station_type === 'AO1';

/** The groups after appp in the order of the SAO form: sea-level pressure, peak wind, amount, tenths, 50RRR. */
const AFTER_BARE_TENDENCY = /^(?:SLP|PK$|PKWND|P\d{4}$|T\d{4}|50\d{3}$)/;

/**
 * Canada's automatic stations send `6PAST HR 6007 SLP139 … 50060`: in the older SAO form (MANOBS, Environment Canada) the
 * tendency is appp without its 5, ppp without its characteristic, or M where it is missing, and 50RRR is precipitation.
 * All 245 such reports at hand have a 0 after the 5, which no fall has. After SOG the figures are the snow on the ground.
 */
export function readBareTendency(token: string, state: ParseState): void {
  const { tokens, at } = state;
  if (!AFTER_BARE_TENDENCY.test(tokens[at + 1] ?? '') || tokens[at - 1] === 'SOG') return;
  state.hasBareTendency = true;
  if (token.length === 4) keepTendency(token, 0, state);
}

const MM_PER_INCH = 25.4;

/**
 * 50RRR: precipitation in tenths of a millimeter since the last main synoptic hour, so that of six hours at 00, 06, 12 and 18
 * UTC. (In the reports at hand, all four amounts at 19 UTC equal that of the hour, and none at other hours is less than it.)
 */
function readSixHoursInMillimeters(token: string, state: ParseState): void {
  const { fields, hour, minute } = state;
  const millimeters = token[1] === '0' ? digits(token, 2, 5) / 10 : -1;
  if (millimeters <= 0 || hour % 6 !== 0 || minute !== 0) return;
  fields.pcp6h_in ??= Math.round((millimeters / MM_PER_INCH) * 100) / 100;
}

/** The four figures appp from `start`. */
function keepTendency(token: string, start: number, { fields }: ParseState): void {
  const characteristic = digits(token, start, start + 1);
  const tenths = digits(token, start + 1, start + 4);
  if (!isWithinLimits(LIMITS.pressureTendency, tenths / 10)) return;
  if (characteristic > 8 || characteristic === -1 || fields.ptend !== undefined) return;
  fields.ptend = characteristic;
  fields.ptend_hpa = characteristic >= 5 && tenths !== 0 ? -tenths / 10 : tenths / 10;
}

/**
 * QFE, the pressure at the aerodrome's own level, which some countries send as well: QFE747, QFE753/1005, QFE0998,
 * QFE907.1, QFE982/0. The former Soviet Union and Mongolia give millimeters of mercury, with the hectopascals after a
 * solidus in newer reports; others give hectopascals.
 */
const HPA_PER_MMHG = 1.333224;
/** No aerodrome has 820 mm of mercury, 1093 hPa: from here up it can only be hectopascals. */
const HIGHEST_MMHG = 820;

/** Reads the figures after QFE; false if there are none. A missing value (QFE////) counts as read. */
function readQfe(figures: string, state: ParseState): boolean {
  if (figures[0] === '/') return true;
  const [, whole, more = '', hectopascals] =
    /^(\d{3,4})(?:$|[./](\d{1,4})(?!\d)(?:\/(\d{3,4})$)?)/.exec(figures) ?? [];
  if (whole === undefined) return false;
  if (hectopascals !== undefined) return keepQfe(Number(hectopascals), state);
  if (more.length >= 3) return keepQfe(Number(more), state);
  const value = Number(whole) + Number(more) / 10 ** more.length;
  return keepQfe(
    value < HIGHEST_MMHG && /^(?:U|ZM|EV|LU)/.test(state.station) ? value * HPA_PER_MMHG : value,
    state,
  );
}

/** The comma of `QFE738,2` and `QFE741,5/0988` divides tokens, as the blank of `QFE 853.7` does. */
export function readQfeRemark(token: string, state: ParseState): void {
  const next = state.tokens[state.at + 1] ?? '';
  const isTorn = /^\d(?:\/\d{3,4})?$/.test(next);
  readQfe(isTorn ? `${token.slice(3)}.${next}` : token.slice(3) || next, state);
  if (isTorn) state.at += 1;
}

function keepQfe(hectopascals: number, { fields }: ParseState): boolean {
  if (!isWithinLimits(LIMITS.qfe, hectopascals)) return false;
  fields.qfe_hpa ??= tenth(hectopascals);
  return true;
}

/** QFE in the body (Guatemala: `QFE907.1`, `QFE 987.7`, `QFE982/0`), and QFF, the pressure at sea level. */
export function readBodyQfe(token: string, state: ParseState): Verdict {
  if (/^QFF\d{4}$/.test(token)) return 'explained';
  if (!token.startsWith('QFE')) return undefined;
  const torn = token.length === 3;
  if (!readQfe(torn ? (state.tokens[state.at + 1] ?? '') : token.slice(3), state)) return undefined;
  if (torn) state.at += 1;
  return 'explained';
}

/** Iran and Afghanistan add station pressure after the altimeter without a letter: `A3017 872.14`, `A3021 885/5`. */
export function readBareQfe(token: string, state: ParseState): Verdict {
  const { altim_hpa } = state.fields;
  if (state.station[0] !== 'O' || altim_hpa === undefined) return undefined;
  if (!/^(?:\d{3}[./]|\d{4}\.)\d{1,2}$/.test(token)) return undefined;
  const value = Number(token.replace('/', '.'));
  // An aerodrome above sea level has less pressure than its QNH; those below are a few meters deep.
  return value <= altim_hpa + 5 && keepQfe(value, state) ? 'explained' : undefined;
}
