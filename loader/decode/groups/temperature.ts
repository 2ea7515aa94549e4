import { digits } from '../characters.ts';
import { isWithin, LIMITS } from '../limits.ts';
import type { ParseState, Verdict } from '../parse-state.ts';

/**
 * Air temperature and dew point T'T'/T'dT'd in whole degrees Celsius, M for minus (WMO-No. 306 FM 15, 15.11;
 * FMH-1, 12.6.10). A missing part is sent as //, XX, MM, M, or left out after the solidus.
 */

const { lowest: LOWEST_C, highest: HIGHEST_C } = LIMITS.temperature;

/** Every possible temperature, as the canonical decimal of its tenths; printing a number costs more. */
const DECIMALS: readonly string[] = Array.from({ length: (HIGHEST_C - LOWEST_C) * 10 + 1 }, (_, at) =>
  String((at + LOWEST_C * 10) / 10),
);

/** "12", "-0.6", "0" of tenths of a degree within the limits of temperature. */
export const decimal = (tenths: number): string => DECIMALS[tenths - LOWEST_C * 10] ?? String(tenths / 10);

const MISSING = new Set(['', '/', '//', 'XX', 'MM', 'M']);

/** Whole degrees from `start` up to `end`; undefined if that is not a temperature. */
function degrees(token: string, start: number, end: number): number | undefined {
  const minus = token[start] === 'M';
  const first = minus ? start + 1 : start;
  const value = end - first === 2 ? digits(token, first, end) : -1;
  if (value === -1) return undefined;
  // Never -0.
  const signed = minus && value !== 0 ? -value : value;
  return isWithin(LIMITS.temperature, signed) ? signed : undefined;
}

export function readTemperature(token: string, state: ParseState): Verdict {
  if (token.length > 7) return undefined;
  const solidus = solidusOf(token);
  if (solidus < 1) return undefined;
  const temperature = degrees(token, 0, solidus);
  const dewPoint = degrees(token, solidus + 1, token.length);
  if (temperature === undefined && !MISSING.has(token.slice(0, solidus))) return undefined;
  if (dewPoint === undefined && !MISSING.has(token.slice(solidus + 1))) return undefined;
  return keep(token, state, temperature, dewPoint ?? tornDewPoint(token, state));
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

function keep(token: string, state: ParseState, temperature?: number, dewPoint?: number): Verdict {
  if (state.temperature !== '') return state.temperature === token ? 'explained' : 'contradictory';
  state.temperature = token;
  if (temperature !== undefined) {
    state.temperatureC = temperature;
    state.fields.temp_c = decimal(temperature * 10);
  }
  if (dewPoint !== undefined) {
    state.dewPointC = dewPoint;
    state.fields.dewp_c = decimal(dewPoint * 10);
  }
  if (dewPoint === undefined) return 'explained';
  if (!isWithin(LIMITS.dewPoint, dewPoint)) return 'contradictory';
  if (temperature === undefined) return 'explained';
  return isWithin(LIMITS.dewPointExcess, dewPoint - temperature) ? 'explained' : 'contradictory';
}
