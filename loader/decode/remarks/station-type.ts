import type { ParseState } from '../parse-state.ts';

/**
 * Type of the automatic station, AO1 or AO2 (FMH-1, 12.7.1), often misspelled with a zero, and AO2A of the United
 * States Air Force. Its bases abroad send additive data as well.
 */
export function readStationType(token: string, state: ParseState): void {
  const figure = token[2];
  if (figure !== '1' && figure !== '2') return;
  state.hasAdditiveData = true;
  if (token.length <= 4) state.fields.station_type = figure === '1' ? 'AO1' : 'AO2';
}
