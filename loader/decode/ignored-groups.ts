import { digits, isMissing } from './characters.ts';
import type { ParseState, Verdict } from './parse-state.ts';
import { endOfRunway } from './runway-visual-range.ts';

/** Groups behind the pressure that are understood but have no field of their own: they stand in `raw`. */

/** Wind shear WS RDRDR or WS ALL RWY (WMO-No. 306 FM 15, 15.13.3), WS TKOF/LDG RWYnn before 2001. */
export function readWindShear(token: string, state: ParseState): Verdict {
  if (token === 'LLWS') return 'explained';
  if (token !== 'WS') return undefined;
  let last = state.at;
  let runways = 0;
  for (let at = last + 1; at < state.tokens.length && at <= state.at + 6; at++) {
    const next = state.tokens[at] ?? '';
    const isRunway = isRunwayName(next);
    if (!isRunway && !SHEAR_WORDS.has(next)) break;
    if (isRunway || next.startsWith('RWY')) runways += 1;
    last = at;
  }
  if (runways === 0) return undefined;
  state.at = last;
  return 'explained';
}

const SHEAR_WORDS = new Set([
  'ALL',
  'RWY',
  'RWYS',
  'RWYB',
  'RWYO',
  'TKOF',
  'LDG',
  'ARR',
  'DEP',
  'AND',
  'APCH',
  'IN',
]);

/** R03L, RWY03L, RWY/03, RWY03, RW03 or the bare 03L behind a RWY of its own. */
function isRunwayName(token: string): boolean {
  if (token.length < 2 || token.length > 7) return false;
  if (endOfRunway(token) === token.length) return true;
  const start = token.startsWith('RWY') ? (token[3] === '/' ? 4 : 3) : token.startsWith('RW') ? 2 : 0;
  const number = digits(token, start, start + 2);
  if (number < 1 || number > 36) return false;
  const side = token.slice(start + 2);
  return side === '' || side === 'L' || side === 'C' || side === 'R';
}

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

/** Relative humidity behind the pressure: RH76 (Pakistan, Iran), HR83 (Bolivia: humedad relativa). */
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

/** A group of which nothing was observed: solidi throughout, or the M of American and military automata. */
export const readMissing = (token: string): Verdict =>
  token === 'M' ||
  token === 'MM' ||
  token === 'MMM' ||
  token === 'MMMMMKT' ||
  token === '//////KT' ||
  isMissing(token, 0, token.length)
    ? 'explained'
    : undefined;
