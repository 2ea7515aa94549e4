import type { ParseState } from '../parse-state.ts';
import { bareTemperature } from './bare-temperature.ts';
import { partGlued } from './glued-groups.ts';
import { respell } from './respelling.ts';
import { dropStray } from './stray-characters.ts';
import { joinTorn } from './torn-groups.ts';

/**
 * Fixes typing and transmission errors; runs only on tokens that no rule explained. Every pattern is anchored and
 * bounded and describes the whole token: a repair never guesses a figure.
 */

/**
 * What a garbled stretch should have been: `text` is read in its place; `taken` tokens are used up; `rest`, if
 * any, is read after it.
 */
export type Repair = { readonly text: string; readonly taken: number; readonly rest?: string };

const LONGEST_TOKEN = 40;

export function repair(state: ParseState): Repair | undefined {
  const token = state.tokens[state.at] ?? '';
  if (token.length > LONGEST_TOKEN) return undefined;
  return (
    joinTorn(token, state) ??
    bareTemperature(state) ??
    partGlued(token) ??
    dropStray(token) ??
    respell(token, state)
  );
}
