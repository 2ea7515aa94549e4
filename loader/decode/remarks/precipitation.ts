import { digits } from '../characters.ts';
import { isWithin, LIMITS } from '../limits.ts';
import type { ParseState } from '../parse-state.ts';

/**
 * Amounts in inches: hourly Prrrr, 6RRRR, 7RRRR (FMH-1, 12.7.2.a; hundredths, all zeros mean a trace), snow depth
 * 4/sss, SNINCR, water equivalent 933RRR (tenths), ice accretion I1nnn, I3nnn, I6nnn.
 */

const hundredths = (token: string, start: number): number => digits(token, start, token.length);

export function readHourlyAmount(token: string, state: ParseState): void {
  const { fields } = state;
  const amount = hundredths(token, 1);
  if (!isWithin(LIMITS.hourlyAmount, amount / 100) || fields.pcp1h_in !== undefined) return;
  state.hasBounds = true;
  fields.pcp1h_in = amount / 100;
  if (amount === 0) fields.pcp1h_trace = true;
}

/** 6RRRR covers six hours in main synoptic reports, three in intermediate ones; both are sent before the hour. */
export function readSeveralHours(token: string, { fields, hour, minute }: ParseState): void {
  const amount = hundredths(token, 1);
  if (!isWithin(LIMITS.severalHoursAmount, amount / 100) || hour === -1) return;
  const nearestHour = minute >= 30 ? hour + 1 : hour;
  if (nearestHour % 6 === 0) {
    if (fields.pcp6h_in !== undefined) return;
    fields.pcp6h_in = amount / 100;
    if (amount === 0) fields.pcp6h_trace = true;
  } else if (fields.pcp3h_in === undefined) {
    fields.pcp3h_in = amount / 100;
    if (amount === 0) fields.pcp3h_trace = true;
  }
}

export function readWholeDay(token: string, state: ParseState): void {
  const { fields } = state;
  const amount = hundredths(token, 1);
  if (!isWithin(LIMITS.dailyAmount, amount / 100) || fields.pcp24h_in !== undefined) return;
  state.hasBounds = true;
  fields.pcp24h_in = amount / 100;
  if (amount === 0) fields.pcp24h_trace = true;
}

export function readSnowDepth(token: string, { fields }: ParseState): void {
  const inches = digits(token, 2, 5);
  if (isWithin(LIMITS.snowDepth, inches)) fields.snow_in ??= inches;
}

/** SNINCR i/d: the increase of the last hour and the depth on the ground, whole inches. */
export function readSnowIncrease(_: string, state: ParseState): void {
  const token = state.tokens[state.at + 1] ?? '';
  const solidus = token.indexOf('/');
  if (solidus < 1 || solidus > 3 || token.length - solidus - 1 > 3 || token.length === solidus + 1) return;
  const increase = digits(token, 0, solidus);
  const depth = digits(token, solidus + 1, token.length);
  if (!isWithin(LIMITS.snowIncrease, increase) || !isWithin(LIMITS.snowDepth, depth)) return;
  state.at += 1;
  state.fields.snow_inc_in ??= increase;
  state.fields.snow_in ??= depth;
}

export function readWaterEquivalent(token: string, { fields }: ParseState): void {
  const amount = digits(token, 3, 6);
  if (amount !== -1) fields.swe_in ??= amount / 10;
}

export function readIceAccretion(token: string, { fields }: ParseState): void {
  const amount = hundredths(token, 2);
  if (!isWithin(LIMITS.iceAccretion, amount / 100)) return;
  if (token[1] === '1') fields.ice1h_in ??= amount / 100;
  else if (token[1] === '3') fields.ice3h_in ??= amount / 100;
  else if (token[1] === '6') fields.ice6h_in ??= amount / 100;
}
