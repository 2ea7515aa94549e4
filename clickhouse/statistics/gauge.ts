import type { Pauses } from '../pauses.ts';

/** A report with an amount of precipitation. */
export type GaugeReport = {
  /** Seconds since 1970-01-01T00:00:00Z, as all times here. */
  readonly time: number;
  /** Hundredths of an inch. */
  readonly amount: number;
};

type AmountHours = 1 | 6 | 24;

/** The reports with an amount, by its hours, in the order of their times; of one minute the special report first. */
export type GaugeReports<Report extends GaugeReport = GaugeReport> = Readonly<
  Record<AmountHours, readonly Report[]>
>;

/** An amount that counts once: a gauge hour, or what an amount of six or 24 hours adds to those of a shorter time. */
export type Amount<Report extends GaugeReport = GaugeReport> = {
  readonly hours: AmountHours;
  /** Its hours, `[begin, end)`; a gauge hour is at its time. */
  readonly begin: number;
  readonly end: number;
  /** The gauge hours that it was compared with are those after `since`, up to `time`, which is that of its report. */
  readonly since: number;
  readonly time: number;
  readonly added: number;
  readonly of: Report;
};

const HOUR = 3600;
/** Seconds. A station that sends two METARs an hour or more has one nearer than this, also where another is missing. */
const NEAR = 45 * 60;
const DAY = 24 * HOUR;

/**
 * The amounts of one station (D58).
 *
 * @param metars the times of all METARs, in their order
 */
export async function amountsOf<Report extends GaugeReport>(
  reports: GaugeReports<Report>,
  metars: readonly number[],
  pauses: Pauses,
): Promise<readonly Amount<Report>[]> {
  const gauge = await gaugeHours(reports[1], metars, pauses);
  const inGauge = sumsOf(
    gauge.map(({ time }) => time),
    gauge,
  );
  const sixes = (await longAmounts(reports[6], 6, pauses)).map((six, n, all) => {
    // Some are sent late: then one holds what fell since the one before it, of twelve hours at most.
    const since = Math.max(all[n - 1]?.time ?? 0, six.time - 12 * HOUR);
    return { ...six, since, added: Math.max(0, six.added - inGauge(since, six.time)) };
  });
  const inSixes = sumsOf(
    sixes.map(({ end }) => end),
    sixes,
  );
  const days = (await longAmounts(reports[24], 24, pauses))
    // Where amounts of 24 hours overlap, the first counts.
    .filter(({ begin }, n, all) => (all[n - 1]?.end ?? 0) <= begin)
    .map((day) => {
      const since = day.time - DAY;
      const known = inGauge(since, day.time) + inSixes(day.begin + 6 * HOUR - 1, day.end);
      return { ...day, since, added: Math.max(0, day.added - known) };
    });
  return [...gauge, ...sixes, ...days];
}

/**
 * A gauge counts up until its reset, so what fell between two resets is the greatest amount. A reset lies after a METAR with no
 * other one near it, where the amount falls, and an hour after the last reset: the gauge keeps its clock for a day where METARs
 * are missing. The hour is that of the first report with its greatest amount.
 */
async function gaugeHours<Report extends GaugeReport>(
  reports: readonly Report[],
  metars: readonly number[],
  pauses: Pauses,
): Promise<readonly Amount<Report>[]> {
  const hours: Amount<Report>[] = [];
  let reset: number | undefined;
  /** The last amount since the last reset by a METAR. */
  let last: { readonly time: number; readonly amount: number } | undefined;
  let metar = 0;
  for (const report of reports) {
    if (pauses.isDue) await pauses.take();
    const { time, amount } = report;
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
      hours.push({ hours: 1, begin: time, end: time + 1, since: time - 1, time, added: amount, of: report });
    }
    reset = falls && last !== undefined ? Math.max(last.time, clock) : clock;
    last = { time, amount };
  }
  return hours;
}

/** Whole hours after the reset that is known; where none is known of the last day, the time itself. */
function lastReset(known: number | undefined, time: number): number {
  if (known === undefined || time - known > DAY) return time;
  return known + Math.floor(Math.max(0, time - known - 1) / HOUR) * HOUR;
}

/** Whether no other METAR is near one. */
function isAlone(metars: readonly number[], n: number): boolean {
  const time = metars[n] as number;
  const isAfter = n === 0 || time - (metars[n - 1] as number) >= NEAR;
  return isAfter && (n === metars.length - 1 || (metars[n + 1] as number) - time >= NEAR);
}

/** Amounts of several hours, which end at the whole hour nearest to the report. Of two of the same hours the greater. */
async function longAmounts<Report extends GaugeReport>(
  reports: readonly Report[],
  hours: 6 | 24,
  pauses: Pauses,
): Promise<readonly Amount<Report>[]> {
  const byEnd = new Map<number, Amount<Report>>();
  for (const report of reports) {
    if (pauses.isDue) await pauses.take();
    const { time, amount } = report;
    const end = Math.floor((time + HOUR / 2) / HOUR) * HOUR;
    if (amount <= (byEnd.get(end)?.added ?? -1)) continue;
    byEnd.set(end, { hours, begin: end - hours * HOUR, end, since: 0, time, added: amount, of: report });
  }
  return [...byEnd.values()];
}

/** A function that adds what lies after one time, up to another. */
function sumsOf(times: readonly number[], amounts: readonly { readonly added: number }[]) {
  const sums = [0];
  for (const { added } of amounts) sums.push((sums.at(-1) as number) + added);
  return (after: number, upTo: number) =>
    (sums[countUpTo(times, upTo)] as number) - (sums[countUpTo(times, after)] as number);
}

/** How many of times in ascending order are not after one. */
export function countUpTo(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
