import { endOfDigits, isDigit, isMissing } from '../characters.ts';
import type { ParseState, Verdict } from '../parse-state.ts';
import { endOfRunway } from './runway-visual-range.ts';

/**
 * State of the runway RDRDR/ERCReReRBRBR (WMO-No. 306 FM 15, 15.13.6), CLRD// for cleared deposits, SNOCLO for an
 * aerodrome closed by snow; and the eight figures of the older MOTNE code, DRDRERCReReRBRBR, still sent in the former
 * Soviet Union, where R08/65D also gives a dry runway and its friction. Eight figures look like a wind but are not. A
 * missing visual range (R09//////) has the same form.
 */

const isFigureOrSolidus = (token: string, at: number): boolean => isDigit(token, at) || token[at] === '/';

const areFiguresOrSolidi = (token: string, start: number, end: number): boolean => {
  for (let at = start; at < end; at++) if (!isFigureOrSolidus(token, at)) return false;
  return true;
};

/** What may follow the designator: `CLRD70`, `CLRD//`, six figures or solidi, `65D`, `D`, `SNOCLO`. */
function isState(token: string, start: number): boolean {
  const left = token.length - start;
  if (token.startsWith('CLRD', start)) return left <= 6 && areFiguresOrSolidi(token, start + 4, token.length);
  if (token.startsWith('SNOCLO', start)) return left === 6;
  if (left === 6) return areFiguresOrSolidi(token, start, token.length);
  if (token[token.length - 1] === 'D')
    return left === 1 || (left === 3 && endOfDigits(token, start) === start + 2);
  // A truncated missing visual range or state: nothing but solidi.
  return left >= 2 && left <= 8 && isMissing(token, start, token.length);
}

function isRunwayState(token: string): boolean {
  if (token === 'SNOCLO' || token === 'R/SNOCLO') return true;
  if (token[0] === 'R') {
    // R////// is a visual range without even a known runway.
    if (token[1] === '/') return token.length >= 4 && token.length <= 12 && isMissing(token, 1, token.length);
    const slash = endOfRunway(token);
    return slash !== -1 && token[slash] === '/' && isState(token, slash + 1);
  }
  if (token.length !== 8 || !isDigit(token, 0) || !isDigit(token, 1)) return false;
  return isState(token, 2);
}

/** Nothing but solidi after the designator. */
const givesNothing = (token: string): boolean =>
  isMissing(token, Math.max(token.indexOf('/'), 1), token.length);

export function readRunwayState(token: string, state: ParseState): Verdict {
  if (!isRunwayState(token)) return undefined;
  // R09////// gives nothing, and before the temperature it is also a visual range.
  if (givesNothing(token)) return 'explained';
  const { rwy_state } = state.fields;
  state.fields.rwy_state = rwy_state === undefined ? token : `${rwy_state} ${token}`;
  return 'explained';
}
