import type { Draft, Verdict } from './draft.ts';

/**
 * NATO airfield colour states (Allied Tactical Publication, used by military stations of Europe): BLU, WHT,
 * GRN, YLO (1 and 2), AMB, RED; BLACK in front where the field is closed for another reason. A second state is
 * a forecast, and so is everything behind it. Kept as sent.
 */

const COLOURS = new Set(['BLU', 'BLU+', 'WHT', 'GRN', 'YLO', 'YLO1', 'YLO2', 'AMB', 'RED', 'BLACK']);

export const isColour = (token: string): boolean => {
  const first = token[0];
  if (first !== 'B' && first !== 'W' && first !== 'G' && first !== 'Y' && first !== 'A' && first !== 'R')
    return false;
  if (COLOURS.has(token)) return true;
  return token.length > 3 && isCompound(token);
};

/** BLACKWHT, BLU/, BLU/WHT, BLU+BLU+. */
const isCompound = (token: string): boolean => {
  if (token.length > 14) return false;
  let at = 0;
  while (at < token.length) {
    if (token[at] === '/' && at > 0) at += 1;
    else {
      const length = [5, 4, 3].find(
        (width) => COLOURS.has(token.slice(at, at + width)) && at + width <= token.length,
      );
      if (length === undefined) return false;
      at += length;
    }
  }
  return true;
};

export function readColour(token: string, draft: Draft): Verdict {
  if (!isColour(token)) return undefined;
  const { colour } = draft.fields;
  draft.fields.colour = colour === undefined ? token : `${colour} ${token}`;
  return 'explained';
}
