import { isWithin, LIMITS, type Limits } from '../limits.ts';
import type { ParseState } from '../parse-state.ts';
import { digits } from '../tokens.ts';

/**
 * Amounts in inches, all in remarks: hourly Prrrr, 6RRRR, 7RRRR (FMH-1, 12.7.2.a; hundredths, all zeros mean a trace),
 * snow depth 4/sss, SNINCR, water equivalent 933RRR (tenths), ice accretion I1nnn, I3nnn, I6nnn.
 */

function keepAmount(
  period: 'pcp1h' | 'pcp3h' | 'pcp6h' | 'pcp24h',
  limits: Limits,
  token: string,
  state: ParseState,
): void {
  const { fields } = state;
  const amount = digits(token, 1, 5);
  if (!isWithin(limits, amount / 100) || fields[`${period}_in`] !== undefined) return;
  state.hasBounds = true;
  fields[`${period}_in`] = amount / 100;
  if (amount === 0) fields[`${period}_trace`] = true;
}

export const readHourlyAmount = (token: string, state: ParseState): void =>
  keepAmount('pcp1h', LIMITS.hourlyAmount, token, state);

/** 6RRRR covers six hours in main synoptic reports, three in intermediate ones; both are sent before the hour. */
export function readSeveralHours(token: string, state: ParseState): void {
  if (state.hour === -1) return;
  const nearestHour = state.minute >= 30 ? state.hour + 1 : state.hour;
  keepAmount(nearestHour % 6 === 0 ? 'pcp6h' : 'pcp3h', LIMITS.severalHoursAmount, token, state);
}

export const readWholeDay = (token: string, state: ParseState): void =>
  keepAmount('pcp24h', LIMITS.dailyAmount, token, state);

export function readSnowDepth(token: string, { fields }: ParseState): void {
  const inches = digits(token, 2, 5);
  if (isWithin(LIMITS.snowDepth, inches)) fields.snow_in ??= inches;
}

/** SNINCR i/d: the increase of the last hour and the depth on the ground, whole inches. */
export function readSnowIncrease(_: string, state: ParseState): void {
  const [, increase, depth] = /^(\d{1,3})\/(\d{1,3})$/.exec(state.tokens[state.at + 1] ?? '') ?? [];
  if (!isWithin(LIMITS.snowIncrease, Number(increase)) || !isWithin(LIMITS.snowDepth, Number(depth))) return;
  state.at += 1;
  state.fields.snow_inc_in ??= Number(increase);
  state.fields.snow_in ??= Number(depth);
}

export function readWaterEquivalent(token: string, { fields }: ParseState): void {
  const tenths = digits(token, 3, 6);
  if (tenths !== -1) fields.swe_in ??= tenths / 10;
}

export function readIceAccretion(token: string, { fields }: ParseState): void {
  const inches = digits(token, 2, 5) / 100;
  if (!isWithin(LIMITS.iceAccretion, inches)) return;
  if (token[1] === '1') fields.ice1h_in ??= inches;
  else if (token[1] === '3') fields.ice3h_in ??= inches;
  else if (token[1] === '6') fields.ice6h_in ??= inches;
}
