import { digits } from '../characters.ts';
import type { ParseState, Verdict } from '../parse-state.ts';
import { endOfRunway } from './runway-visual-range.ts';

/**
 * Wind shear WS RDRDR or WS ALL RWY (WMO-No. 306 FM 15, 15.13.3), WS TKOF/LDG RWYnn before 2001, WS RWYnn, RWYB,
 * RWYS and RWYO in Canada. Kept as sent.
 */
export function readWindShear(token: string, state: ParseState): Verdict {
  if (token === 'LLWS') return keep(token, state);
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
  const text = state.tokens.slice(state.at, last + 1).join(' ');
  state.at = last;
  return keep(text, state);
}

function keep(text: string, { fields }: ParseState): Verdict {
  fields.ws = fields.ws === undefined ? text : `${fields.ws} ${text}`;
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

/** R03L, RWY03L, RWY/03, RWY03, RW03 or the bare 03L after a separate RWY. */
function isRunwayName(token: string): boolean {
  if (token.length < 2 || token.length > 7) return false;
  if (endOfRunway(token) === token.length) return true;
  const start = token.startsWith('RWY') ? (token[3] === '/' ? 4 : 3) : token.startsWith('RW') ? 2 : 0;
  const number = digits(token, start, start + 2);
  if (number < 1 || number > 36) return false;
  const side = token.slice(start + 2);
  return side === '' || side === 'L' || side === 'C' || side === 'R';
}
