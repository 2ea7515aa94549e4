import type { ParseState } from '../parse-state.ts';
import type { Repair } from './repair.ts';

/**
 * Temperature and dew point that lost their solidus: `2417`, or two groups, `25 24`. Only between the sky and a
 * complete QNH are four figures unambiguous: before the sky they are a visibility, and without Q a pressure. In one
 * piece they have no M: in `24M23` it may replace the solidus.
 */
export function bareTemperature({ tokens, at, temperature, sky }: ParseState): Repair | undefined {
  if (temperature !== '' || sky === '') return undefined;
  const token = tokens[at] ?? '';
  const next = tokens[at + 1] ?? '';
  const [, first, second] = /^(\d\d)(\d\d)$/.exec(token) ?? [];
  if (first !== undefined) return isQnh(next) ? { text: `${first}/${second}`, taken: 1 } : undefined;
  if (!isDegrees(token) || !isDegrees(next) || !isQnh(tokens[at + 2] ?? '')) return undefined;
  return { text: `${token}/${next}`, taken: 2 };
}

const isDegrees = (token: string): boolean => /^M?\d\d$/.test(token);

const isQnh = (token: string): boolean => /^Q\d{4}$/.test(token);
