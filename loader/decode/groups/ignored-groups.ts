import { digits, isMissing } from '../characters.ts';
import type { ParseState, Verdict } from '../parse-state.ts';

/** Groups after the pressure that are understood but have no field of their own: they are in `raw`. */

/** Rainfall of the last ten minutes and since 9 o'clock, RF00.2/001.4 (Australian Bureau of Meteorology). */
export function readRainfall(token: string): Verdict {
  if (token[0] !== 'R' || token[1] !== 'F' || token.length < 5 || token.length > 14) return undefined;
  let solidus = 0;
  for (let at = 2; at < token.length; at++) {
    const character = token[at];
    if (character === '/') solidus += 1;
    else if (character !== '.' && digits(token, at, at + 1) === -1) return undefined;
  }
  return solidus > 0 ? 'explained' : undefined;
}

/** Relative humidity after the pressure: RH76 (Pakistan, Iran), HR83 (Bolivia: humedad relativa). */
export function readHumidity(token: string): Verdict {
  if (!token.startsWith('RH') && !token.startsWith('HR')) return undefined;
  if (token.length !== 4 && token.length !== 5) return undefined;
  const percent = digits(token, 2, token.length);
  return percent >= 0 && percent <= 100 ? 'explained' : undefined;
}

/** The wind at Madeira's other sensors: RS32006KT (Rosário), 0535006KT (threshold 05). */
export function readOtherWind(token: string, state: ParseState): Verdict {
  if (state.station !== 'LPMA' || token.length < 9 || !token.endsWith('KT')) return undefined;
  return token.startsWith('RS') || digits(token, 0, 7) !== -1 ? 'explained' : undefined;
}

/** A group without an observation: all solidi, or the M of American and military automatic stations. */
export function readMissing(token: string, state: ParseState): Verdict {
  // Two solidi before the temperature stand for the present weather (WMO-No. 306, FM 15, 15.8).
  if (token === '//' && state.temperature === '') state.fields.wx_missing = true;
  return isWithoutValue(token) ? 'explained' : undefined;
}

const isWithoutValue = (token: string): boolean =>
  token === '-' ||
  token === 'M' ||
  token === 'MM' ||
  token === 'MMM' ||
  token === 'MMMMMKT' ||
  token === '//////KT' ||
  isMissing(token, 0, token.length);
