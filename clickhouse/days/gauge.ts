import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../model/day.ts';
import { countBefore, type Reports } from './reports.ts';

/** An amount that counts once: that of a gauge hour, or what an amount of more hours adds to the amounts of fewer hours in it. */
export type Amount = {
  readonly hours: 1 | 3 | 6 | 24;
  /** Its hours, `[begin, end)`, in seconds since 1970-01-01T00:00:00Z; of a gauge hour only the time of its report. */
  readonly begin: number;
  readonly end: number;
  /** It was compared with the gauge hours after `since` and up to `time`, which is the time of its report. */
  readonly since: number;
  readonly time: number;
  /** Hundredths of an inch. */
  readonly added: number;
};

/** Seconds: a METAR with no other METAR nearer than this is that of a station that sends one METAR an hour. */
const NEAR = 45 * 60;

/** `amounts`: amounts of precipitation, each counted once (D58). `covers`: the amounts of six and 24 hours as they were sent. */
export function amountsOf(reports: Reports) {
  const gauge = gaugeHours(reports);
  const inGauge = sumsOf(gauge, ({ time }) => time);
  const [ofSixHours, ofDays] = [longAmounts(reports, 6), longAmounts(reports, 24)];
  const threes = longAmounts(reports, 3).map((three) => {
    const since = three.time - 3 * SECONDS_PER_HOUR;
    return { ...three, since, added: Math.max(0, three.added - inGauge(since, three.time)) };
  });
  const inThrees = sumsOf(threes, ({ end }) => end);
  const sixes = ofSixHours.map((six, n, all) => {
    // Some are sent late. Such an amount includes what fell since the previous one, for twelve hours at most.
    const since = Math.max(all[n - 1]?.time ?? 0, six.time - 12 * SECONDS_PER_HOUR);
    const known = inGauge(since, six.time) + inThrees(six.begin + 3 * SECONDS_PER_HOUR - 1, six.end);
    return { ...six, since, added: Math.max(0, six.added - known) };
  });
  const inSixes = sumsOf(sixes, ({ end }) => end);
  const days = ofDays.map((day) => {
    const since = day.time - SECONDS_PER_DAY;
    const known =
      inGauge(since, day.time) +
      inThrees(day.begin + 3 * SECONDS_PER_HOUR - 1, day.end) +
      inSixes(day.begin + 6 * SECONDS_PER_HOUR - 1, day.end);
    return { ...day, since, added: Math.max(0, day.added - known) };
  });
  return {
    amounts: [...gauge, ...threes, ...sixes, ...withoutOverlaps(days)],
    covers: [...ofSixHours, ...ofDays],
  };
}

/**
 * The amounts of 24 hours that count, of some that can overlap: those without overlaps that have the greatest sum (never too
 * small, D58), of equal sums the most and then the first ones.
 *
 * @param all in the order of their hours
 */
function withoutOverlaps(all: readonly Amount[]): readonly Amount[] {
  let best: { readonly sum: number; readonly amounts: readonly Amount[] } = { sum: 0, amounts: [] };
  /** The best of the first n. */
  const bestOf = [best];
  for (const amount of all) {
    const { sum, amounts } = bestOf[all.filter(({ end }) => end <= amount.begin).length] as typeof best;
    const other = { sum: sum + amount.added, amounts: [...amounts, amount] };
    if ((other.sum - best.sum || other.amounts.length - best.amounts.length) > 0) best = other;
    bestOf.push(best);
  }
  return best.amounts;
}

/** Hundredths of an inch; NaN without an amount. */
function hundredths(inches: number | undefined): number {
  return Math.round((inches as number) * 100);
}

/**
 * A gauge counts up until it is reset, so the greatest amount between two resets is what fell. It is reset after a METAR with no
 * other METAR near it, where the amount decreases, and an hour after the previous reset: if METARs are missing, the resets go on
 * at the same minute for a day. An amount has the time of the first report that gives it.
 */
function gaugeHours({ time: times, isMetar, pcp1h_in }: Reports): readonly Amount[] {
  const metars = times.filter((_, row) => isMetar[row] === 1);
  const hours: Amount[] = [];
  let reset: number | undefined;
  /** The last amount since the last reset by a METAR. */
  let last: { readonly time: number; readonly amount: number } | undefined;
  let metar = 0;
  for (let row = 0; row < times.length; row += 1) {
    const amount = hundredths(pcp1h_in[row]);
    if (Number.isNaN(amount)) continue;
    const time = times[row] as number;
    for (; metar < metars.length && (metars[metar] as number) < time; metar += 1)
      if (isAlone(metars, metar)) {
        reset = metars[metar];
        last = undefined;
      }
    const clock = lastReset(reset, time);
    const falls = last !== undefined && amount < last.amount;
    const isNew = last === undefined || falls || clock !== reset;
    if (isNew || amount > (hours.at(-1)?.added ?? 0)) {
      if (!isNew) hours.pop();
      hours.push({ hours: 1, begin: time, end: time + 1, since: time - 1, time, added: amount });
    }
    reset = falls && last !== undefined ? Math.max(last.time, clock) : clock;
    last = { time, amount };
  }
  return hours;
}

/** The last reset before a time: whole hours after the known one. If none is known in the last day, the time itself. */
function lastReset(known: number | undefined, time: number): number {
  if (known === undefined || time - known > SECONDS_PER_DAY) return time;
  return known + Math.floor(Math.max(0, time - known - 1) / SECONDS_PER_HOUR) * SECONDS_PER_HOUR;
}

function isAlone(metars: Uint32Array, n: number): boolean {
  const time = metars[n] as number;
  const isAfter = n === 0 || time - (metars[n - 1] as number) >= NEAR;
  return isAfter && (n === metars.length - 1 || (metars[n + 1] as number) - time >= NEAR);
}

/** Amounts of several hours, which end at the whole hour nearest to the report. Of two for the same hours, the greater counts. */
function longAmounts(reports: Reports, hours: 3 | 6 | 24): readonly Amount[] {
  const { time: times, [`pcp${hours}h_in` as const]: values } = reports;
  const byEnd = new Map<number, Amount>();
  for (let row = 0; row < times.length; row += 1) {
    const amount = hundredths(values[row]);
    if (Number.isNaN(amount)) continue;
    const time = times[row] as number;
    const end = nearestHour(time);
    if (amount <= (byEnd.get(end)?.added ?? -1)) continue;
    byEnd.set(end, { hours, begin: end - hours * SECONDS_PER_HOUR, end, since: 0, time, added: amount });
  }
  return [...byEnd.values()];
}

/** The whole hour nearest to a time, in seconds. */
export function nearestHour(time: number): number {
  return Math.floor((time + SECONDS_PER_HOUR / 2) / SECONDS_PER_HOUR) * SECONDS_PER_HOUR;
}

/** A function that adds the amounts after one time, up to another. */
function sumsOf(amounts: readonly Amount[], timeOf: (amount: Amount) => number) {
  const times = amounts.map(timeOf);
  const sums = [0];
  for (const { added } of amounts) sums.push((sums.at(-1) as number) + added);
  const upTo = (time: number) => sums[countBefore(times, time + 1)] as number;
  return (after: number, until: number) => upTo(until) - upTo(after);
}
