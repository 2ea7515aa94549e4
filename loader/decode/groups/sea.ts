import { digits, isMissing } from '../characters.ts';
import type { ParseState, Verdict } from '../parse-state.ts';

/**
 * Sea surface temperature and state of the sea WTsTs/SS', or the significant wave height in decimeters WTsTs/HHsHsHs
 * (WMO-No. 306 FM 15, 15.13.5). Kept as sent.
 */

export function readSea(token: string, state: ParseState): Verdict {
  if (token[0] !== 'W' || token.length < 5 || token.length > 9) return undefined;
  const start = token[1] === 'M' ? 2 : 1;
  const temperatureEnd = start + 2;
  if (digits(token, start, temperatureEnd) === -1 && !isMissing(token, start, temperatureEnd))
    return undefined;
  if (token[temperatureEnd] !== '/') return undefined;
  if (!isSurface(token, temperatureEnd + 1)) return undefined;
  const { sea } = state.fields;
  state.fields.sea = sea === undefined ? token : `${sea} ${token}`;
  return 'explained';
}

/** `S4`, `S/`, `H16`, `H7`, `H///`, or solidi alone. */
function isSurface(token: string, start: number): boolean {
  const { length } = token;
  const kind = token[start];
  const from = kind === 'S' || kind === 'H' ? start + 1 : start;
  const width = length - from;
  if (isMissing(token, from, length)) return width >= 1;
  if (kind === 'S') return width === 1 && digits(token, from, length) >= 0;
  return kind === 'H' && width >= 1 && width <= 3 && digits(token, from, length) >= 0;
}
