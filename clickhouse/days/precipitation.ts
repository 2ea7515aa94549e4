import { type Amount, amountsOf } from './gauge.ts';
import { absent, type LocalMonth, type MonthReports } from './local-month.ts';
import { isWet } from './weather.ts';

/** The amounts of a station that concern a day, in hundredths of an inch. */
class DayAmounts {
  /** Amounts with all of their hours in the day, and amounts with only some. */
  readonly whole: Amount[] = [];
  readonly cut: Amount[] = [];
  /** A report of the day gives an amount. */
  isGiven = false;
  isWet = false;
  hasReadable = false;
  hasGauge = false;
  /** Times of unreadable reports that give an amount. */
  readonly unread: number[] = [];
  trace = Number.NaN;
  unsplit = 0;
  /** What the day adds to its month, including amounts that end on the day and began on an earlier day of the month. */
  ofMonth = 0;
}

/**
 * Precipitation (D58). A day has the amounts whose hours all lie in it. If an amount covers several days, its part of each day is
 * known only by gauge hours or six-hour amounts, but the month has the whole amount. Without an amount the total is 0 if no report
 * has precipitation and the month has an amount or a working gauge. A day without a readable report is never 0, and a day with an
 * unreadable amount has no total, unless an amount of six or 24 hours covers that (D78).
 *
 * @param isWhole for each day, whether it has enough reports (D59). On other days an amount counts, but no amount is not 0,
 * unless amounts of six or 24 hours cover the day (D76)
 * @param isWeatherKnown for each day, whether its present weather can show, without a working gauge, that nothing fell
 */
export function precipitation(all: MonthReports, isWhole: Uint8Array, isWeatherKnown: Uint8Array) {
  const { reports, month, dayOf } = all;
  const { ofDays, isMeasured } = seenOn(all);
  const { amounts: counted, covers } = amountsOf(reports);
  for (const amount of counted) place(amount, ofDays, dayOf);
  const isCovered = coversDays(covers, month);
  const columns = {
    precip_in: absent(all),
    precip_trace: absent(all),
    precip_unsplit_in: absent(all),
    precip_month_in: absent(all),
  };
  for (const [day, amounts] of ofDays.entries()) {
    const isSplit = amounts.cut.some((amount) => isUnknown(amount, amounts.whole));
    const isSeen = amounts.hasGauge || isWeatherKnown[day] === 1;
    const isDry = amounts.hasReadable && !amounts.isWet && isMeasured && isSeen;
    // If only amounts of three hours are sent, they are sent for every second period of three hours, so half of a day is unknown.
    const isKnown = amounts.isGiven || amounts.whole.some(({ hours }) => hours !== 3);
    const isUnread = amounts.unread.some(
      (time) => !covers.some(({ begin, end }) => begin < time && time <= end),
    );
    const isComplete = !isUnread && (isWhole[day] === 1 || isCovered(day));
    const sum = amounts.whole.reduce((inDay, { added }) => inDay + added, 0);
    const total = isKnown || isDry ? sum : Number.NaN;
    if (!isSplit && !isUnread && (isComplete || total > 0)) columns.precip_in[day] = total / 100;
    if (isComplete && (isKnown || isSplit || isDry || isCovered(day)))
      columns.precip_month_in[day] = amounts.ofMonth / 100;
    if (amounts.unsplit > 0) columns.precip_unsplit_in[day] = amounts.unsplit / 100;
    const isTraceKnown = amounts.trace === 1 || (!isSplit && isComplete && !Number.isNaN(total));
    if (isTraceKnown) columns.precip_trace[day] = amounts.trace;
  }
  return columns;
}

/** What the reports of each day say, and whether some report of the month gives an amount or has a gauge that works. */
function seenOn({ reports, days }: MonthReports) {
  let isMeasured = false;
  const ofDays = days.map(({ begin, end }) => {
    const day = new DayAmounts();
    for (let row = begin; row < end; row += 1) {
      day.isWet ||= isWet(reports, row);
      if (reports.hasUnreadAmount[row] === 1) day.unread.push(reports.time[row] as number);
      if (reports.isReadable[row] === 0) continue;
      const one = reports.pcp1h_in[row] as number;
      const isGiven =
        one >= 0 || (reports.pcp6h_in[row] as number) >= 0 || (reports.pcp24h_in[row] as number) >= 0;
      day.hasReadable = true;
      day.isGiven ||= isGiven;
      const hasGauge = reports.hasGauge[row] === 1;
      day.hasGauge ||= hasGauge;
      isMeasured ||= isGiven || hasGauge;
      if (reports.isTrace[row] === 1 && one === 0) day.trace = 1;
      else if (Number.isNaN(day.trace) && (hasGauge || !Number.isNaN(one))) day.trace = 0;
    }
    return day;
  });
  return { ofDays, isMeasured };
}

/** Adds an amount to the day that has all its hours. If several days have some, it is `unsplit` on the day on which it ends. */
function place(amount: Amount, ofDays: readonly DayAmounts[], dayOf: (time: number) => number): void {
  const { begin, end, added } = amount;
  // Every day that has some of the hours of the amount contains one of these times.
  const touched = new Set([begin, (begin + end) / 2, end - 1].map(dayOf));
  const last = ofDays[dayOf(end - 1)];
  if (last !== undefined && ofDays[dayOf(begin)] !== undefined) last.ofMonth += added;
  if (touched.size === 1) return void last?.whole.push(amount);
  for (const day of touched) ofDays[day]?.cut.push(amount);
  if (last !== undefined) last.unsplit += added;
}

/**
 * Whether an amount makes the total of a day with some of its hours unknown: no gauge hour or shorter amount in both measured
 * more than a trace. (With traces alone the total would be 0.)
 */
function isUnknown({ hours, since, time, begin, end, added }: Amount, whole: readonly Amount[]): boolean {
  const isPart = (amount: Amount) =>
    amount.added > 0 &&
    (amount.hours === 1
      ? amount.time > since && amount.time <= time
      : amount.hours < hours && amount.begin >= begin && amount.end <= end);
  return added > 0 && !whole.some(isPart);
}

/** A function that says whether amounts of six and 24 hours cover all hours of a day. */
function coversDays(amounts: readonly Amount[], { midnights }: LocalMonth): (day: number) => boolean {
  const covers = amounts.toSorted((one, other) => one.begin - other.begin);
  return (day) => {
    let [until, end] = [midnights[day], midnights[day + 1]] as [number, number];
    if (until === end) return false;
    for (const cover of covers) if (cover.begin <= until && cover.end > until) until = cover.end;
    return until >= end;
  };
}
