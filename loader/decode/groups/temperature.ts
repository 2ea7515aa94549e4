import { digits } from '../characters.ts';
import { isWithinLimits, LIMITS } from '../limits.ts';
import { FARTHEST, nearestHour, type ParseState, type Verdict } from '../parse-state.ts';

const LOWEST_TENTHS = Math.round(LIMITS.temperature.lowest * 10);
const HIGHEST_TENTHS = Math.round(LIMITS.temperature.highest * 10);

/** The limits of temperature in whole degrees: the records of the world, rounded. */
const WHOLE_DEGREES = { lowest: -89, highest: 57 };

/** Every possible temperature, as the canonical decimal of its tenths; printing a number costs more. */
const DECIMALS: readonly string[] = Array.from(
  { length: WHOLE_DEGREES.highest * 10 - LOWEST_TENTHS + 1 },
  (_, at) => String((at + LOWEST_TENTHS) / 10),
);

/**
 * The text of tenths of a degree within the limits of temperature: "12", "-0.6", "0". M00 and T1000 are -0 (D62), from -0.5 to
 * below 0 (FMH-1, 12.6.10). The sign is a separate argument, because the number -0 takes more time.
 */
const decimal = (tenths: number, isMinus: boolean): string =>
  tenths === 0 && isMinus ? '-0' : (DECIMALS[tenths - LOWEST_TENTHS] ?? String(tenths / 10));

const MISSING = new Set(['', '/', '//', 'XX', 'MM', 'M']);

/** Whole degrees from `start` up to `end`; undefined if that is not a temperature. */
function degrees(token: string, start: number, end: number): number | undefined {
  const minus = token[start] === 'M';
  const first = minus ? start + 1 : start;
  const value = end - first === 2 ? digits(token, first, end) : -1;
  if (value === -1) return undefined;
  // Never -0.
  const signed = minus && value !== 0 ? -value : value;
  return isWithinLimits(WHOLE_DEGREES, signed) ? signed : undefined;
}

/**
 * Air temperature and dew point T'T'/T'dT'd in whole degrees Celsius, M for minus (WMO-No. 306 FM 15, 15.11;
 * FMH-1, 12.6.10). A missing part is sent as //, XX, MM, M, or left out after the solidus.
 */
export function readTemperature(token: string, state: ParseState): Verdict {
  if (token.length > 7) return undefined;
  const solidus = solidusOf(token);
  if (solidus < 1) return undefined;
  const temperature = degrees(token, 0, solidus);
  const ownDewPoint = degrees(token, solidus + 1, token.length);
  if (temperature === undefined && !MISSING.has(token.slice(0, solidus))) return undefined;
  if (ownDewPoint === undefined && !MISSING.has(token.slice(solidus + 1))) return undefined;
  const dewPoint = ownDewPoint ?? tornDewPoint(token, state);

  if (state.temperature !== '') return state.temperature === token ? 'explained' : 'contradictory';
  state.temperature = token;
  if (temperature !== undefined) {
    state.temperatureC = temperature;
    state.fields.temp_c = decimal(temperature * 10, token[0] === 'M');
  }
  if (dewPoint === undefined) return 'explained';
  state.dewPointC = dewPoint;
  const sent = ownDewPoint === undefined ? state.tokens[state.at] : token;
  state.fields.dewp_c = decimal(dewPoint * 10, sent?.at(-3) === 'M');
  if (!isWithinLimits(LIMITS.dewPoint, dewPoint)) return 'contradictory';
  if (temperature === undefined) return 'explained';
  return isWithinLimits(LIMITS.dewPointExcess, dewPoint - temperature) ? 'explained' : 'contradictory';
}

/** Usually at index two or three; `///12` is a missing temperature, the solidus between, and a dew point. */
const solidusOf = (token: string): number => {
  if (token[2] === '/') return 2;
  return token[3] === '/' ? 3 : token.indexOf('/');
};

/** `27/ 23`: with a blank after the solidus. */
function tornDewPoint(token: string, state: ParseState): number | undefined {
  const next = state.tokens[state.at + 1];
  const last = token.length - 1;
  if (next === undefined || token[last] !== '/' || token[last - 1] === '/') return undefined;
  const dewPoint = degrees(next, 0, next.length);
  if (dewPoint !== undefined) state.at += 1;
  return dewPoint;
}

/**
 * Remarks in tenths of a degree: the hourly TsnTTTsnTTT (FMH-1, 12.7.2.d), the six-hourly extremes 1snTTT and 2snTTT,
 * and those of 24 hours 4snTTTsnTTT (12.7.2.e to g). sn is 1 below zero, also in T1000.
 *
 * @returns undefined if the four characters at `start` are not a temperature
 */
function tenths(token: string, start: number): number | undefined {
  const sign = token[start];
  const size = digits(token, start + 1, start + 4);
  if (size === -1 || (sign !== '0' && sign !== '1')) return undefined;
  const value = sign === '1' && size !== 0 ? -size : size;
  return value > HIGHEST_TENTHS || value < LOWEST_TENTHS ? undefined : value;
}

/** If they differ by more tenths of a degree, remark and body are not one measurement. NOAA also keeps the body then. */
const FARTHEST_FROM_BODY = 10;

/**
 * The tenths, unless the body contradicts them; `body` is NaN if unknown. `04/M11 … T10391106` has lost an M: it is the only one
 * of 66,000 such pairs that differs only in the sign.
 */
function nearBody(body: number, inTenths: number | undefined): number | undefined {
  if (inTenths === undefined) return undefined;
  if (inTenths < 0 && Math.abs(body * 10 + inTenths) <= FARTHEST_FROM_BODY) return inTenths;
  return Math.abs(body * 10 - inTenths) > FARTHEST_FROM_BODY ? undefined : inTenths;
}

/** The group of the body that follows from the tenths in the remarks, rounded up as the body is: `29/M04` from `T02891039`. */
export function temperatureOfTenths({ tokens, at }: ParseState): string | undefined {
  for (const later of tokens.slice(at + 1, at + FARTHEST)) {
    const [, minus, air, dewMinus, dew] = /^T([01])(\d{3})([01])(\d{3})$/.exec(later) ?? [];
    if (air !== undefined && dew !== undefined)
      return `${wholeDegrees(minus === '1', air)}/${wholeDegrees(dewMinus === '1', dew)}`;
  }
  return undefined;
}

function wholeDegrees(isBelowZero: boolean, tenths: string): string {
  const degrees = Math.round((isBelowZero ? -1 : 1) * (Number(tenths) / 10));
  return (isBelowZero ? 'M' : '') + String(Math.abs(degrees)).padStart(2, '0');
}

const HIGHEST_DEW_POINT = LIMITS.dewPoint.highest * 10;
const HIGHEST_EXCESS = LIMITS.dewPointExcess.highest * 10;

export function readHourlyTemperature(token: string, state: ParseState): void {
  if (token.length !== 9 && token.length !== 5) return;
  const { fields, temperatureC, dewPointC } = state;
  if (token.length === 9 && digits(token, 1, 9) !== -1) state.hasAdditiveData = true;
  const temperature = nearBody(temperatureC, tenths(token, 1));
  const dewPoint = token.length === 5 ? undefined : nearBody(dewPointC, tenths(token, 5));
  // An unknown value is NaN and contradicts nothing.
  const either = dewPoint ?? dewPointC * 10;
  if (either > HIGHEST_DEW_POINT || either - (temperature ?? temperatureC * 10) > HIGHEST_EXCESS) return;
  if (temperature !== undefined) fields.temp_c = decimal(temperature, token[1] === '1');
  if (dewPoint !== undefined) fields.dewp_c = decimal(dewPoint, token[5] === '1');
}

/** Words before five figures that are a height in feet (`DA 10387`) or a wind (`RWY 33 20030`, `PKWND 10128 1733`). */
const WORDS_OF_OTHER_NUMBERS =
  /(?:^| )(?:[DP][./]?A[.:]?|\S*ALT\S*|DENSITY|IS|AT|CIG|TOPS?|BASES?|ELEV|PK|(?:PK)?WI?NDS?|(?:RWY|THR) ?\d\d[LCR]?)$/;
const FEET = new Set(['FT', 'FT.', 'FEET', 'MSL', 'AGL']);

export function readExtreme(token: string, state: ParseState): void {
  const { fields, tokens, at } = state;
  const next = tokens[at + 1] ?? '';
  // Six hours end at 00, 06, 12 and 18 UTC (12.7.2.e, f): in 8,725 of 8,727 reports.
  if (token.length === 5 && nearestHour(state) % 6 !== 0) return;
  const last = tokens[at - 1] ?? '';
  const before = last.length < 4 ? `${tokens[at - 2]} ${last}` : last;
  if (WORDS_OF_OTHER_NUMBERS.test(before) || FEET.has(next) || next[0] === '/') return;
  const first = tenths(token, 1);
  if (first === undefined) return;
  if (token.length === 9) {
    const lowest = tenths(token, 5);
    if (lowest === undefined) return;
    fields.maxt24_c ??= first / 10;
    fields.mint24_c ??= lowest / 10;
  } else if (token[0] === '1') fields.maxt6_c ??= first / 10;
  else fields.mint6_c ??= first / 10;
}
