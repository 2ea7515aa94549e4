import { type Amount, amountsOf, type GaugeReport } from './gauge.ts';

/** A report, and where it belongs. */
export type GroupedReport = GaugeReport & {
  /** Whether it meets the condition of the question. */
  readonly counts: boolean;
  /** The values of its groups with tabs between them, where these are not those of whole days. */
  readonly group: string;
};

/** How a station is asked for. */
export type AmountQuestion = {
  readonly from: number;
  readonly to: number;
  /** The group of a time, where groups have whole days. */
  readonly groupAt?: (time: number) => string;
  /** The calendar month of a time. */
  readonly monthAt: (time: number) => number;
  /** Whether amounts of several hours count: they are in no group but those of the calendar, and have no report to judge. */
  readonly hasLongAmounts: boolean;
  /** Each group is of one day. */
  readonly isOfOneDay: boolean;
};

/** What a group has of the amounts of its station, in hundredths of an inch. */
class Group {
  total: number | undefined;
  ofMonth: number | undefined;
  ofGauge: number | undefined;
  isGiven = false;
  isMeasured = false;
  /** For a day: the amounts of which it has all hours, and those of which it has only some. */
  readonly whole: Amount[] = [];
  readonly cut: Amount[] = [];

  /** A day with some of the hours of an amount does not know its total, unless gauge hours or six hours lie in both. */
  get isUnknown(): boolean {
    return this.cut.some(
      ({ since, time, begin, end, added }) =>
        added > 0 &&
        !this.whole.some((amount) =>
          amount.hours === 1
            ? amount.time > since && amount.time <= time
            : amount.hours === 6 && amount.begin >= begin && amount.end <= end,
        ),
    );
  }
}

const AMOUNTS = [1, 6, 24] as const;

/** The values of `AMOUNT_COLUMNS` of the groups of one station: a line for each. */
export function* amountRows(
  reports: readonly GroupedReport[],
  question: AmountQuestion,
): Generator<readonly string[], undefined> {
  const { from, to, groupAt, monthAt, hasLongAmounts, isOfOneDay } = question;
  const groups = new Map<string, Group>();
  const groupOf = (name: string) => {
    const group = groups.get(name) ?? new Group();
    groups.set(name, group);
    return group;
  };
  const isInRange = (time: number) => time >= from && time < to;

  for (const report of reports) {
    if (AMOUNTS.every((hours) => report.amounts[hours] === undefined)) continue;
    // A filter leaves no row of a sector or class of which no report meets it.
    if (groupAt === undefined && !report.counts) continue;
    // A report of the same month counts for the first or last group of the range, so that a day is judged as in its month.
    const time = Math.min(Math.max(report.time, from), to - 1);
    const isInside = time === report.time;
    if (!isInside && (groupAt === undefined || monthAt(time) !== monthAt(report.time))) continue;
    const group = groupOf(groupAt?.(time) ?? report.group);
    group.isMeasured = true;
    group.isGiven ||= isInside && report.counts;
  }
  for (const amount of amountsOf(reports)) {
    const { hours, begin, end, time, added, report } = amount;
    if (hours === 1) {
      if (!isInRange(time) || !report.counts) continue;
      const group = groupOf(groupAt?.(time) ?? report.group);
      group.total = (group.total ?? 0) + added;
      group.ofMonth = (group.ofMonth ?? 0) + added;
      group.ofGauge = (group.ofGauge ?? 0) + added;
      if (isOfOneDay) group.whole.push(amount);
    } else if (hasLongAmounts && groupAt !== undefined && begin < to && end > from) {
      // Each day that has some of the hours has one of these times.
      const times = [Math.max(begin, from), (begin + end) / 2, Math.min(end, to) - 1].filter(isInRange);
      const names = new Set(times.map(groupAt));
      const isInside = begin >= from && end <= to;
      for (const name of names) {
        const group = groupOf(name);
        if (names.size > 1 || !isInside) group.cut.push(amount);
        else {
          group.total = (group.total ?? 0) + added;
          if (isOfOneDay) group.whole.push(amount);
        }
      }
      if (isInside && monthAt(begin) === monthAt(end - 1)) {
        const group = groupOf(groupAt(end - 1));
        group.ofMonth = (group.ofMonth ?? 0) + added;
      }
    }
  }
  for (const [name, group] of groups) {
    const numbers = [group.total, group.ofMonth, group.ofGauge].map((amount) => amount?.toString() ?? '\\N');
    const flags = [isOfOneDay && group.isUnknown, group.isGiven, group.isMeasured].map((is) =>
      is ? '1' : '0',
    );
    yield [name, ...numbers, ...flags];
  }
}
