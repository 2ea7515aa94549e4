import { HPA_PER_INCH } from '../groups/pressure.ts';
import type { ParseState } from '../parse-state.ts';

/**
 * Groups with a slip in their figures that another group of the same report confirms: the QNH by the inches, the inches
 * by the QNH, the temperature by its tenths. They are read if exactly one reading is one slip away and agrees.
 */
export function confirmedGroup(token: string, state: ParseState): string | undefined {
  if (token[0] === 'Q') return tenths(token, state) ?? confirmedHectopascals(token, state);
  return token[0] === 'A' ? confirmedInches(token, state) : confirmedTemperature(token, state);
}

/** QNH is cut to whole hectopascals (15.12), inches to hundredths: two of one measurement differ by at most one. */
const AGREEMENT_HPA = 1;

/** Q10145 A2996: El Salvador sends tenths without the decimal point. */
function tenths(token: string, state: ParseState): string | undefined {
  const [, whole, last] = /^Q(\d{4})(\d)$/.exec(token) ?? [];
  const other = hectopascalsAfter(state);
  if (whole === undefined || other === undefined) return undefined;
  return Math.abs(Number(`${whole}.${last}`) - other) <= AGREEMENT_HPA ? `Q${whole}.${last}` : undefined;
}

/** Q101? A3010. */
function confirmedHectopascals(token: string, state: ParseState): string | undefined {
  const other = hectopascalsAfter(state);
  if (other === undefined) return undefined;
  return onlyReading(token, 'Q', Math.ceil(other - AGREEMENT_HPA), Math.floor(other + AGREEMENT_HPA));
}

/** Q1012 A29905. */
function confirmedInches(token: string, { hectopascals, fields }: ParseState): string | undefined {
  if (hectopascals === '' || fields.altim_hpa === undefined) return undefined;
  const hundredths = (hpa: number) => (hpa / HPA_PER_INCH) * 100;
  const lowest = Math.ceil(hundredths(fields.altim_hpa - AGREEMENT_HPA));
  return onlyReading(token, 'A', lowest, Math.floor(hundredths(fields.altim_hpa + AGREEMENT_HPA)));
}

function hectopascalsAfter({ tokens, at }: ParseState): number | undefined {
  const [, hundredths] = /^A(\d{4})$/.exec(tokens[at + 1] ?? '') ?? [];
  return hundredths === undefined ? undefined : (Number(hundredths) / 100) * HPA_PER_INCH;
}

/** The letter and four figures that the token misspells; undefined if none or several fit. */
function onlyReading(token: string, letter: string, lowest: number, highest: number): string | undefined {
  const readings: string[] = [];
  for (let value = lowest; value <= highest; value++) {
    const text = letter + String(value).padStart(4, '0');
    if (isMisspelt(token, text)) readings.push(text);
  }
  return readings.length === 1 ? readings[0] : undefined;
}

/** Bounds the search, so that it takes time in proportion to the length of any text. */
const FARTHEST = 40;

/** 29/I04 … T02891039: the tenths of FMH-1, 12.7.2.d, rounded up as the body is. */
function confirmedTemperature(token: string, { temperature, tokens, at }: ParseState): string | undefined {
  if (temperature !== '' || !token.includes('/')) return undefined;
  for (const later of tokens.slice(at + 1, at + FARTHEST)) {
    const [, minus, air, dewMinus, dew] = /^T([01])(\d{3})([01])(\d{3})$/.exec(later) ?? [];
    if (air === undefined || dew === undefined) continue;
    const text = `${wholeDegrees(minus === '1', air)}/${wholeDegrees(dewMinus === '1', dew)}`;
    return isMisspelt(token, text) ? text : undefined;
  }
  return undefined;
}

function wholeDegrees(isBelowZero: boolean, tenths: string): string {
  const degrees = Math.round((isBelowZero ? -1 : 1) * (Number(tenths) / 10));
  return (isBelowZero ? 'M' : '') + String(Math.abs(degrees)).padStart(2, '0');
}

/** Whether one slip turns `token` into `word`: an extra, missing or wrong letter, or two transposed. */
export function isMisspelt(token: string, word: string): boolean {
  const difference = token.length - word.length;
  if (difference < -1 || difference > 1) return false;
  let at = 0;
  while (at < word.length && token[at] === word[at]) at++;
  if (difference === 1) return token.slice(at + 1) === word.slice(at);
  if (difference === -1) return token.slice(at) === word.slice(at + 1);
  if (token.slice(at + 1) === word.slice(at + 1)) return at < word.length;
  return (
    token[at] === word[at + 1] && token[at + 1] === word[at] && token.slice(at + 2) === word.slice(at + 2)
  );
}
