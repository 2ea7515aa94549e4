import type { Report } from '../../../clickhouse/model/report.ts';
import { valueOfField } from '../conditions/judge.ts';

/**
 * Amounts of precipitation of one station (D58). A gauge counts up until its reset, and reports repeat what it shows.
 * Amounts are whole hundredths of an inch, so that sums are exact.
 */

/** What fell between two resets of the gauge: `SPECI 1210Z P0003`, `METAR 1251Z P0010` is one hour with 10. */
type GaugeHour = {
  /** Time of the first report with the greatest amount. */
  readonly time: number;
  readonly hundredths: number;
  /** That report. */
  readonly report: Report;
};

/** An amount of three, six or 24 hours. They end at the full hour nearest to its report: `1751Z 60080` is that of 12 to 18 UTC. */
type LongAmount = {
  readonly begin: number;
  readonly end: number;
  readonly reportedAt: number;
  /** The amount is compared with what the gauge showed after this time, up to its report. */
  readonly since: number;
  readonly hundredths: number;
};

type AmountWindow = LongAmount & {
  /** What no amount of a shorter time in these hours accounts for. */
  readonly excess: number;
};

export type Amounts = {
  readonly hours: readonly GaugeHour[];
  readonly threeHours: readonly AmountWindow[];
  readonly sixHours: readonly AmountWindow[];
  readonly days: readonly AmountWindow[];
};

const HOUR = 3600;
const DAY = 24 * HOUR;

/** @param reports of one station that count, in the order of their times; of one minute the SPECI first */
export function amountsOf(reports: readonly Report[]): Amounts {
  const hours = gaugeHours(reports);
  const withExcess = (amount: LongAmount, repaired: readonly AmountWindow[]) => {
    const inside = repaired.filter(({ begin, end }) => begin >= amount.begin && end <= amount.end);
    const known = inside.reduce((total, { excess }) => total + excess, within(hours, amount));
    return { ...amount, excess: Math.max(0, amount.hundredths - known) };
  };
  const threeHours = longAmounts(reports, 'pcp3h_in', 3).map((amount) => withExcess(amount, []));
  const sixHours = longAmounts(reports, 'pcp6h_in', 6).map((amount) => withExcess(amount, threeHours));
  const ofDays = longAmounts(reports, 'pcp24h_in', 24);
  const days = greatestOf(ofDays.map((day) => withExcess(day, [...threeHours, ...sixHours])));
  return { hours, threeHours, sixHours, days };
}

/** Of amounts that overlap, the ones with the greatest sum; of equal sums the most. */
function greatestOf(all: readonly AmountWindow[]): readonly AmountWindow[] {
  const worth = (some: readonly AmountWindow[]) =>
    some.reduce((sum, { excess }) => sum + excess * 1e6 + 1, 0);
  const ofLast: (readonly AmountWindow[])[] = [[]];
  for (const amount of all.toReversed()) {
    const later = all.filter(({ begin }) => begin >= amount.end).length;
    const ways = [[amount, ...(ofLast[later] ?? [])], ofLast.at(-1) ?? []] as const;
    ofLast.push(worth(ways[1]) > worth(ways[0]) ? ways[1] : ways[0]);
  }
  return ofLast.at(-1) ?? [];
}

function hundredths(report: Report, field: string): number | undefined {
  const inches = valueOfField(field, report);
  return inches === undefined ? undefined : Math.round(Number(inches) * 100);
}

/**
 * The greatest amount between two resets. A reset lies after a METAR of a station that sends one an hour, where the amount
 * falls, and 60 minutes after the last reset: the gauge keeps its clock where a METAR is missing.
 */
function gaugeHours(reports: readonly Report[]): readonly GaugeHour[] {
  const resetsAfter = hourlyMetars(reports);
  const hours: GaugeHour[] = [];
  let reset: number | undefined;
  let last: { readonly time: number; readonly hundredths: number } | undefined;
  let isOpen = false;
  for (const report of reports) {
    const { observedAt: time } = report;
    const amount = hundredths(report, 'pcp1h_in');
    if (amount !== undefined) {
      const falls = isOpen && last !== undefined && amount < last.hundredths;
      const clock = lastReset(reset, time);
      if (falls || clock !== reset) isOpen = false;
      reset = falls && last !== undefined ? Math.max(last.time, clock) : clock;
      const hour = { time, hundredths: amount, report };
      const open = isOpen ? hours.at(-1) : undefined;
      if (open === undefined) hours.push(hour);
      else if (amount > open.hundredths) hours[hours.length - 1] = hour;
      last = hour;
      isOpen = true;
    }
    if (resetsAfter.has(report)) {
      isOpen = false;
      reset = time;
    }
  }
  return hours;
}

/** The gauge keeps its clock for a day: its last reset lies a whole number of hours after one that is known. */
function lastReset(known: number | undefined, time: number): number {
  if (known === undefined || time - known > DAY) return time;
  return time - known <= HOUR ? known : known + Math.floor((time - known - 1) / HOUR) * HOUR;
}

/** The METARs of a station that sends one an hour: within 45 minutes before and after there is no other one. */
function hourlyMetars(reports: readonly Report[]): ReadonlySet<Report> {
  const metars = reports.filter(({ type }) => type === 'METAR');
  const hourly = new Set(metars);
  for (const [n, metar] of metars.entries()) {
    const next = metars[n + 1];
    if (next === undefined || next.observedAt - metar.observedAt >= 45 * 60) continue;
    hourly.delete(metar);
    hourly.delete(next);
  }
  return hourly;
}

/**
 * The greatest amount of each window. One of six hours holds what fell since the one before it where that was not sent on
 * time, at most twelve hours: `1751Z P0022`, then `2351Z 60022` is 22 in all.
 */
function longAmounts(reports: readonly Report[], field: string, hours: 3 | 6 | 24): readonly LongAmount[] {
  const amounts: LongAmount[] = [];
  for (const report of reports) {
    const { observedAt: reportedAt } = report;
    const amount = hundredths(report, field);
    if (amount === undefined) continue;
    const end = Math.round(reportedAt / HOUR) * HOUR;
    const before = amounts.findLast((other) => other.end < end)?.reportedAt ?? 0;
    const since = hours === 6 ? Math.max(before, reportedAt - 12 * HOUR) : reportedAt - hours * HOUR;
    const window = { begin: end - hours * HOUR, end, reportedAt, since, hundredths: amount };
    const same = amounts.findIndex((other) => other.end === end);
    if (same < 0) amounts.push(window);
    else if (amount > (amounts[same]?.hundredths ?? 0)) amounts[same] = window;
  }
  return amounts;
}

function within(hours: readonly GaugeHour[], amount: LongAmount): number {
  return hours.reduce((total, hour) => total + (covers(amount, hour.time) ? hour.hundredths : 0), 0);
}

function covers({ since, reportedAt }: LongAmount, time: number): boolean {
  return time > since && time <= reportedAt;
}

/** What a row of an answer has of the amounts of its station. */
type TotalGroup = {
  readonly reports: readonly Report[];
  /** Reports that cannot be read, with the weather that their texts name. */
  readonly unreadable: readonly Report[];
  readonly hours: readonly GaugeHour[];
  /** Those whose hours all lie in the row. */
  readonly windows: readonly AmountWindow[];
  /** For a day: those with only some of their hours in it. */
  readonly cut: readonly AmountWindow[];
  /** Its month has an amount, or a gauge that works. */
  readonly isMeasured: boolean;
};

/** The total in inches; absent where it is not known. */
export function totalOf(group: TotalGroup): number | undefined {
  return hasUnknownPart(group) ? undefined : knownTotal(group, group.windows);
}

/** Whether some hours of an amount lie in a day that has no other amount above 0 of them. */
function hasUnknownPart({ hours, windows, cut }: TotalGroup): boolean {
  return cut.some(
    ({ excess, ...window }) =>
      excess > 0 &&
      !hours.some(({ time, hundredths }) => hundredths > 0 && covers(window, time)) &&
      !windows.some(
        ({ begin, end, excess: added }) =>
          added > 0 && begin >= window.begin && end <= window.end && end - begin < window.end - window.begin,
      ),
  );
}

/** Without amounts it is 0 where a gauge measures and no precipitation is reported. */
function knownTotal(
  { reports, unreadable, hours, isMeasured }: TotalGroup,
  windows: readonly AmountWindow[],
): number | undefined {
  const isKnown = windows.some(({ begin, end }) => end - begin > 3 * HOUR);
  if (hours.length > 0 || isKnown || reports.some(givesAmount)) {
    const total = hours.reduce((sum, hour) => sum + hour.hundredths, 0);
    return windows.reduce((sum, { excess }) => sum + excess, total) / 100;
  }
  return reports.length > 0 && isMeasured && ![...reports, ...unreadable].some(reportsPrecipitation)
    ? 0
    : undefined;
}

const AMOUNTS = ['pcp1h_in', 'pcp6h_in', 'pcp24h_in'];

export function givesAmount(report: Report): boolean {
  return AMOUNTS.some((field) => hundredths(report, field) !== undefined);
}

/** `AO2`, and not `PNO`: the gauge does not operate. */
export function hasWorkingGauge(report: Report): boolean {
  return valueOfField('station_type', report) === 'AO2' && valueOfField('pno', report) !== true;
}

function reportsPrecipitation(report: Report): boolean {
  return (
    reportsWeather(report) || [...AMOUNTS, 'pcp3h_in'].some((field) => (hundredths(report, field) ?? 0) > 0)
  );
}

/** Precipitation that falls at the station: not `VCSH`, `BLSN` or `DRSN`. */
function reportsWeather(report: Report): boolean {
  const groups = String(valueOfField('wx', report) ?? '').split(' ');
  return groups.some((group) => /DZ|RA|SN|SG|PL|GR|GS|UP|IC/.test(group) && !/VC|BL|DR/.test(group));
}
