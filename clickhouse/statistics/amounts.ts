import type { Pauses } from '../pauses.ts';
import { valueSql } from './column.ts';
import { type Amount, amountsOf, type GaugeReport, type GaugeReports } from './gauge.ts';
import type { Statistic } from './question.ts';
import type { Place, PlacedReport } from './times.ts';

/** Amounts of gauges, which count reports of every kind, whatever the sample (D58). */
export function isOfGauges(statistic: Statistic): boolean {
  return (
    statistic.kind === 'total' ||
    statistic.kind === 'trace' ||
    (statistic.kind === 'number' && statistic.of === 'sum' && statistic.field === 'pcp1h_in')
  );
}

/** SQL over the reports of a group: whether they say that precipitation falls at the station. `VCSH` and `BLSN` do not. */
export const IS_WET = (() => {
  const isFalling = "'(^| )[-+]?(MI|PR|BC|SH|TS|FZ|BR|FG|HZ|FU)*(DZ|RA|SN|SG|PL|GR|GS|UP|IC)'";
  const ofWeather = `ifNull(match(${valueSql('wx')}, ${isFalling}), 0)`;
  return `max(${ofWeather} OR ifNull(${valueSql('pcp3h_in')} > 0, 0))`;
})();

/** SQL over a report: whether the station has a gauge that works. */
export const HAS_GAUGE_AT_WORK = `${valueSql('station_type')} = 'AO2' AND ${valueSql('pno')} IS NULL`;
/** SQL over the reports of a group. */
export const IS_GAUGE_AT_WORK = `max(${HAS_GAUGE_AT_WORK})`;

/**
 * SQL over the reports of a group: whether an hourly amount is a trace (`P0000`); NULL where no report gives one, and no gauge that
 * sends none works.
 */
export const TRACE = (() => {
  const isTrace = `ifNull(${valueSql('pcp1h_trace')} AND ${valueSql('pcp1h_in')} = 0, 0)`;
  return `max(if(${valueSql('pcp1h_in')} IS NOT NULL OR ${HAS_GAUGE_AT_WORK}, ${isTrace}, NULL))`;
})();

/** What a group has of the amounts of its station, in hundredths of an inch. */
export type GroupAmounts = {
  total?: number;
  /** What the month takes of a day: also amounts that begin on the day before. */
  ofMonth?: number;
  ofGauge?: number;
  /** The day has some hours of an amount, and does not know its part. */
  isUnknown?: boolean;
  /** A report of the group gives an amount. */
  isGiven?: boolean;
};

/**
 * The amount of a group in inches, where it is known.
 *
 * @param isDry no report says that precipitation falls, and a gauge works in the month
 * @param isOfMonth what its month takes of a day: all that it has, also where the day does not know its own part
 */
export function totalOf(
  amounts: GroupAmounts | undefined,
  isDry: boolean,
  isOfMonth?: boolean,
): number | undefined {
  const { total, ofMonth, isUnknown, isGiven } = amounts ?? {};
  const hundredths = isOfMonth ? ofMonth : total;
  if (isUnknown && !isOfMonth) return undefined;
  return isUnknown || isGiven || hundredths !== undefined ? (hundredths ?? 0) / 100 : isDry ? 0 : undefined;
}

/** An amount, and the report that gives it. */
export type AmountReport = GaugeReport & { readonly report: PlacedReport };

/** The groups of a station that get its amounts. */
type AmountGroups = {
  readonly place: Place;
  readonly amountsAt: (group: string) => GroupAmounts;
  /** Amounts of several hours count: they are in no group but those of the calendar, and have no report to judge. */
  readonly hasLongAmounts: boolean;
  /** Gets the months in which some report gives an amount. */
  readonly measured: Set<string>;
  readonly pauses: Pauses;
};

/**
 * The amounts of the groups of one station.
 *
 * @param metars the times of all METARs
 */
export async function addAmounts(
  reports: GaugeReports<AmountReport>,
  metars: readonly number[],
  { place, amountsAt, hasLongAmounts, measured, pauses }: AmountGroups,
): Promise<void> {
  const { from, to, isInRange, monthAt, isOfDays } = place;
  /** By day: the amounts of which it has all hours, and those of which it has only some. */
  const ofDays = new Map<string, { readonly whole: Amount[]; readonly cut: Amount[] }>();
  const dayOf = (group: string) => {
    const day = ofDays.get(group) ?? { whole: [], cut: [] };
    ofDays.set(group, day);
    return day;
  };
  for (const given of Object.values(reports))
    for (const { report } of given) {
      const { time, counts, others } = report;
      if (pauses.isDue) await pauses.take();
      const isCounted = counts && isInRange(time);
      // Groups of whole days have their month as a whole, also what is outside the range or does not meet the condition.
      if (isCounted || isOfDays) place.addMonths(measured, time);
      if (isCounted) amountsAt(place.groupAt(time, others)).isGiven = true;
    }
  for (const amount of await amountsOf(reports, metars, pauses)) {
    if (pauses.isDue) await pauses.take();
    const { hours, begin, end, time, added, of } = amount;
    const { counts, others } = of.report;
    if (hours === 1) {
      if (!isInRange(time) || !counts) continue;
      const group = place.groupAt(time, others);
      const amounts = amountsAt(group);
      amounts.total = (amounts.total ?? 0) + added;
      amounts.ofMonth = (amounts.ofMonth ?? 0) + added;
      amounts.ofGauge = (amounts.ofGauge ?? 0) + added;
      dayOf(group).whole.push(amount);
    } else if (hasLongAmounts && begin < to && end > from) {
      // Each day that has some of the hours has one of these times.
      const times = [Math.max(begin, from), (begin + end) / 2, Math.min(end, to) - 1].filter(isInRange);
      const names = new Set(times.map((each) => place.groupAt(each)));
      const isInside = begin >= from && end <= to;
      for (const group of names) {
        if (names.size > 1 || !isInside) dayOf(group).cut.push(amount);
        else {
          const amounts = amountsAt(group);
          amounts.total = (amounts.total ?? 0) + added;
          dayOf(group).whole.push(amount);
        }
      }
      if (isInside && monthAt(begin) === monthAt(end - 1)) {
        const amounts = amountsAt(place.groupAt(end - 1));
        amounts.ofMonth = (amounts.ofMonth ?? 0) + added;
      }
    }
  }
  if (place.isOfOneDay)
    for (const [group, { whole, cut }] of ofDays)
      if (cut.some((amount) => isUnknown(amount, whole))) amountsAt(group).isUnknown = true;
}

/** A day with some of the hours of an amount does not know its total, unless gauge hours or six hours lie in both. */
function isUnknown({ since, time, begin, end, added }: Amount, whole: readonly Amount[]): boolean {
  const isKnown = (amount: Amount) =>
    amount.hours === 1
      ? amount.time > since && amount.time <= time
      : amount.hours === 6 && amount.begin >= begin && amount.end <= end;
  return added > 0 && !whole.some(isKnown);
}
