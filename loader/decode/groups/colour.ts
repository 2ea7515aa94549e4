import type { ParseState, Verdict } from '../parse-state.ts';

/**
 * NATO airfield color states (Allied Tactical Publication, used by European military stations): BLU, WHT, GRN, YLO (1
 * and 2), AMB, RED; BLACK before them if the field is closed for another reason. A second state is a forecast, and so
 * is everything after it. Kept as sent, also joined: BLACKWHT, BLU/, BLU/WHT, BLU+BLU+.
 */
const COLOUR = /^(?:(?:BLU\+?|WHT|GRN|YLO[12]?|AMB|RED|BLACK)\/*)+$/;

const isColour = (token: string): boolean => token.length <= 14 && COLOUR.test(token);

export function readColour(token: string, state: ParseState): Verdict {
  // Latin America has no such states, but says RED for reducida: `VIS RED 5KMS`.
  if (!isColour(token) || state.station[0] === 'M' || state.station[0] === 'S') return undefined;
  state.colour = true;
  return keep(token, state);
}

/** Italy, Hungary, the United Kingdom and Czechia send the state in remarks; elsewhere these may be other words. */
export function readColourRemark(token: string, state: ParseState): void {
  const region = state.station[0];
  if ((region === 'E' || region === 'L') && isColour(token)) keep(token, state);
}

function keep(token: string, { fields }: ParseState): Verdict {
  fields.colour = fields.colour === undefined ? token : `${fields.colour} ${token}`;
  return 'explained';
}

/**
 * Whether the token begins the forecast after a color state: `BLU 24013KT 9999 FEW045`, `BLU FCST CANCEL`. A color
 * state follows the pressure, so no group of the observation can follow it.
 */
export const beginsForecast = (token: string, { temperature }: ParseState): boolean =>
  temperature !== '' && /^(?:\d|VRB|CAVOK$|FCST$)/.test(token);
