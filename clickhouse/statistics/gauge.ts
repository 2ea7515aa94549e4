import { setImmediate as turn } from 'node:timers/promises';

/** A report with an amount of precipitation, or a METAR, which may have reset the gauge. Amounts are hundredths of an inch. */
export type GaugeReport = {
  /** Seconds since 1970-01-01T00:00:00Z, as all times here. */
  readonly time: number;
  readonly isMetar: boolean;
  readonly amounts: Readonly<Partial<Record<AmountHours, number | undefined>>>;
};

type AmountHours = 1 | 6 | 24;

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
  readonly report: Report;
};

/** Judged before other requests have their turn: 21 years in the rain have 370,000 reports, which take a second. */
export const REPORTS_AT_ONCE = 5000;

const HOUR = 3600;
/** Seconds. A station that sends two METARs an hour or more has one nearer than this, also where another is missing. */
const NEAR = 45 * 60;
const DAY = 24 * HOUR;

/**
 * The amounts of one station (D58).
 *
 * @param reports in the order of their times; of one minute the special report first
 */
export async function amountsOf<Report extends GaugeReport>(
  reports: readonly Report[],
): Promise<readonly Amount<Report>[]> {
  const gauge = await gaugeHours(reports);
  const inGauge = sumsOf(gauge.map(({ time, added }) => ({ at: time, amount: added })));
  await turn();
  const sixes = longAmounts(reports, 6).map((six, n, all) => {
    // Some are sent late: then one holds what fell since the one before it, of twelve hours at most.
    const since = Math.max(all[n - 1]?.time ?? 0, six.time - 12 * HOUR);
    return { ...six, since, added: Math.max(0, six.added - inGauge(since, six.time)) };
  });
  const inSixes = sumsOf(sixes.map(({ end, added }) => ({ at: end, amount: added })));
  const days = longAmounts(reports, 24)
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
): Promise<readonly Amount<Report>[]> {
  const resetsAfter = hourlyMetars(reports);
  const hours: Amount<Report>[] = [];
  let reset: number | undefined;
  /** The last amount since the last reset by a METAR. */
  let last: { readonly time: number; readonly amount: number } | undefined;
  for (const [n, report] of reports.entries()) {
    if (n % REPORTS_AT_ONCE === 0) await turn();
    const { time, amounts } = report;
    const amount = amounts[1];
    if (amount !== undefined) {
      const clock = lastReset(reset, time);
      const falls = last !== undefined && amount < last.amount;
      const isNew = last === undefined || falls || clock !== reset;
      const hour = {
        hours: 1,
        begin: time,
        end: time + 1,
        since: time - 1,
        time,
        added: amount,
        report,
      } as const;
      if (isNew) hours.push(hour);
      else if (amount > (hours.at(-1)?.added ?? 0)) hours[hours.length - 1] = hour;
      reset = falls && last !== undefined ? Math.max(last.time, clock) : clock;
      last = { time, amount };
    }
    if (resetsAfter.has(report)) {
      reset = time;
      last = undefined;
    }
  }
  return hours;
}

/** Whole hours after the reset that is known; where none is known of the last day, the time itself. */
function lastReset(known: number | undefined, time: number): number {
  if (known === undefined || time - known > DAY) return time;
  return known + Math.floor(Math.max(0, time - known - 1) / HOUR) * HOUR;
}

function hourlyMetars(reports: readonly GaugeReport[]): ReadonlySet<GaugeReport> {
  const metars = reports.filter(({ isMetar }) => isMetar);
  const isNear = (report: GaugeReport | undefined, time: number) =>
    report !== undefined && Math.abs(report.time - time) < NEAR;
  return new Set(
    metars.filter(({ time }, n) => !isNear(metars[n - 1], time) && !isNear(metars[n + 1], time)),
  );
}

/** Amounts of several hours, which end at the whole hour nearest to the report. Of two of the same hours the greater. */
function longAmounts<Report extends GaugeReport>(
  reports: readonly Report[],
  hours: 6 | 24,
): readonly Amount<Report>[] {
  const byEnd = new Map<number, Amount<Report>>();
  for (const report of reports) {
    const { time, amounts } = report;
    const amount = amounts[hours];
    if (amount === undefined) continue;
    const end = Math.floor((time + HOUR / 2) / HOUR) * HOUR;
    if (amount <= (byEnd.get(end)?.added ?? -1)) continue;
    byEnd.set(end, { hours, begin: end - hours * HOUR, end, since: 0, time, added: amount, report });
  }
  return [...byEnd.values()];
}

/** A function that adds what lies after one time, up to another. */
function sumsOf(amounts: readonly { readonly at: number; readonly amount: number }[]) {
  const sums = [0];
  for (const { amount } of amounts) sums.push((sums.at(-1) as number) + amount);
  const upTo = (time: number) => {
    let [low, high] = [0, amounts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((amounts[middle]?.at as number) <= time) low = middle + 1;
      else high = middle;
    }
    return sums[low] as number;
  };
  return (after: number, time: number) => upTo(time) - upTo(after);
}
