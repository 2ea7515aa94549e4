/** A UTC day as text, `2024-01-31`, which sorts and compares chronologically. */
export type Day = string & { readonly [day]: never };
declare const day: unique symbol;

/** Nothing older is loaded or stored. */
export const FIRST_DAY = '2005-01-01' as Day;

export const SECONDS_PER_MINUTE = 60;
export const SECONDS_PER_HOUR = 60 * SECONDS_PER_MINUTE;
export const SECONDS_PER_DAY = 24 * SECONDS_PER_HOUR;

/** Late reports and corrections still arrive for this long after a day has ended (D13). */
export const DONE_AFTER_HOURS = 72;

/** `undefined` for anything but a day of the calendar in the form `YYYY-MM-DD`. */
export function parseDay(text: string): Day | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? undefined : (text as Day);
}

/** Seconds since 1970-01-01T00:00:00Z of a time in the form of ISO 8601; NaN where its day or time does not exist. */
export function parseTime(text: string): number {
  // Date.parse takes February 30 for March 1.
  return parseDay(text.slice(0, 10)) === undefined ? Number.NaN : Date.parse(text) / 1000;
}

/** @param epochSeconds seconds since 1970-01-01T00:00:00Z */
export function dayOf(epochSeconds: number): Day {
  return new Date(epochSeconds * 1000).toISOString().slice(0, 10) as Day;
}

let year = 1970;
let yearStart = 0;
let yearEnd = Date.UTC(1971, 0) / 1000;

/** Seconds since 1970-01-01T00:00:00Z. Reports come in time order, so the last year is tried first: no Date per report. */
export function yearOf(epochSeconds: number): number {
  if (epochSeconds < yearStart || epochSeconds >= yearEnd) {
    year = new Date(epochSeconds * 1000).getUTCFullYear();
    yearStart = Date.UTC(year, 0) / 1000;
    yearEnd = Date.UTC(year + 1, 0) / 1000;
  }
  return year;
}

/** The midnight that starts a day, in seconds since 1970-01-01T00:00:00Z. */
export function dayStart(of: Day): number {
  return Date.parse(`${of}T00:00:00Z`) / 1000;
}

export function addDays(to: Day, days: number): Day {
  return dayOf(dayStart(to) + days * SECONDS_PER_DAY);
}

/** Days from `first` to `end`: 1 from a day to the next. */
export function daysBetween(first: Day, end: Day): number {
  return (dayStart(end) - dayStart(first)) / SECONDS_PER_DAY;
}

/** The first day that ended less than 72 hours before `now`: it and all later ones are never done (D13). */
export function firstProvisionalDay(now: Date): Day {
  return dayOf(now.getTime() / 1000 - DONE_AFTER_HOURS * SECONDS_PER_HOUR);
}

/** UTC days without a gap, `[firstDay, endDay)`. */
export type DayRange = { readonly firstDay: Day; readonly endDay: Day };

/** The first day that a source can hold, and the first that it no longer can. */
export type Lifetime = { readonly firstDay?: Day | undefined; readonly endDay?: Day | undefined };

export function clip(range: DayRange, { firstDay, endDay }: Lifetime): DayRange {
  let { firstDay: first, endDay: end } = range;
  if (firstDay !== undefined && firstDay > first) first = firstDay;
  if (endDay !== undefined && endDay < end) end = endDay;
  return end > first ? { firstDay: first, endDay: end } : { firstDay: first, endDay: first };
}

/** As `clip`, of a set of days. */
export function within(days: DaySet, { firstDay, endDay }: Lifetime): DaySet {
  const first = firstDay === undefined ? Number.NEGATIVE_INFINITY : numberOfDay(firstDay);
  const end = endDay === undefined ? Number.POSITIVE_INFINITY : numberOfDay(endDay);
  return intersect(days, [{ first, end }]);
}

export function splitByYear({ firstDay, endDay }: DayRange): DayRange[] {
  const years: DayRange[] = [];
  for (let from = firstDay; from < endDay; ) {
    const nextYear = `${Number(from.slice(0, 4)) + 1}-01-01` as Day;
    const to = nextYear < endDay ? nextYear : endDay;
    years.push({ firstDay: from, endDay: to });
    from = to;
  }
  return years;
}

export function yearsOf(range: DayRange): readonly number[] {
  return splitByYear(range).map(({ firstDay }) => Number(firstDay.slice(0, 4)));
}

export function splitByDay({ firstDay, endDay }: DayRange): DayRange[] {
  return Array.from({ length: daysBetween(firstDay, endDay) }, (_, at) => ({
    firstDay: addDays(firstDay, at),
    endDay: addDays(firstDay, at + 1),
  }));
}

/** Days counted from 1970-01-01, `[first, end)`. */
export type DayRun = { readonly first: number; readonly end: number };

/** A set of UTC days as nonempty runs, in ascending order, at least one day apart. */
export type DaySet = readonly DayRun[];

export const NO_DAYS: DaySet = [];

/** @param epochSeconds seconds since 1970-01-01T00:00:00Z */
export function dayNumber(epochSeconds: number): number {
  return Math.floor(epochSeconds / SECONDS_PER_DAY);
}

export function numberOfDay(day: Day): number {
  return dayNumber(dayStart(day));
}

/** The texts of days: the coverage of 1,000 stations can have 252,000, and printing one takes a microsecond. */
const TEXTS = new Map<number, Day>();
const MOST_TEXTS = 20_000;

export function dayOfNumber(number: number): Day {
  const day = TEXTS.get(number) ?? dayOf(number * SECONDS_PER_DAY);
  if (TEXTS.size < MOST_TEXTS) TEXTS.set(number, day);
  return day;
}

export function dayRun(first: number, end: number): DaySet {
  return first < end ? [{ first, end }] : NO_DAYS;
}

export function daySetOf({ firstDay, endDay }: DayRange): DaySet {
  return dayRun(numberOfDay(firstDay), numberOfDay(endDay));
}

export function yearDays(year: number): DaySet {
  return dayRun(dayNumber(Date.UTC(year, 0) / 1000), dayNumber(Date.UTC(year + 1, 0) / 1000));
}

/** The days of a calendar year that are in a set, as numbers from 1. */
export function numbersInYear(days: DaySet, year: number): readonly number[] {
  const ofYear = yearDays(year);
  return [...dayNumbersOf(intersect(days, ofYear))].map((day) => day + 1 - (ofYear[0]?.first ?? 0));
}

/** @param bits of the days of a year, eight in a character: bit n % 8 of character n / 8 is day n */
export function addDaysOfYear(runs: DayRun[], year: number, bits: string): void {
  const beforeYear = dayNumber(Date.UTC(year, 0) / 1000) - 1;
  let first: number | undefined;
  for (let at = 0; at <= bits.length; at += 1) {
    const byte = bits.charCodeAt(at) || 0;
    if (byte === (first === undefined ? 0 : 0xff)) continue;
    for (let bit = 0; bit < 8; bit += 1) {
      const day = beforeYear + 8 * at + bit;
      if (((byte >> bit) & 1) === 1) first ??= day;
      else if (first !== undefined) {
        runs.push({ first, end: day });
        first = undefined;
      }
    }
  }
}

export function dayRangesOf(days: DaySet): readonly DayRange[] {
  return days.map(({ first, end }) => ({ firstDay: dayOfNumber(first), endDay: dayOfNumber(end) }));
}

export function* dayNumbersOf(days: DaySet): Generator<number> {
  for (const { first, end } of days) for (let day = first; day < end; day += 1) yield day;
}

export function countDays(days: DaySet): number {
  return days.reduce((sum, { first, end }) => sum + end - first, 0);
}

/** @param runs in any order, overlapping or not; empty runs are left out */
export function unionOf(runs: readonly DayRun[]): DaySet {
  const joined: DayRun[] = [];
  for (const run of runs.toSorted((a, b) => a.first - b.first)) {
    const last = joined.at(-1);
    if (run.first >= run.end) continue;
    if (last === undefined || last.end < run.first) joined.push(run);
    else if (last.end < run.end) joined[joined.length - 1] = { first: last.first, end: run.end };
  }
  return joined;
}

export function intersect(a: DaySet, b: DaySet): DaySet {
  const common: DayRun[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [one, other] = [a[i] as DayRun, b[j] as DayRun];
    const [first, end] = [Math.max(one.first, other.first), Math.min(one.end, other.end)];
    if (first < end) common.push({ first, end });
    if (one.end < other.end) i += 1;
    else j += 1;
  }
  return common;
}

/** The number of days of the intersection, which is not made. */
export function countCommon(a: DaySet, b: DaySet): number {
  let count = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [one, other] = [a[i] as DayRun, b[j] as DayRun];
    count += Math.max(0, Math.min(one.end, other.end) - Math.max(one.first, other.first));
    if (one.end < other.end) i += 1;
    else j += 1;
  }
  return count;
}

export function subtract(a: DaySet, b: DaySet): DaySet {
  const left: DayRun[] = [];
  let next = 0;
  for (const { first, end } of a) {
    let from = first;
    while (next < b.length && (b[next] as DayRun).end <= from) next += 1;
    for (let at = next; at < b.length && (b[at] as DayRun).first < end; at += 1) {
      const { first: hole, end: holeEnd } = b[at] as DayRun;
      if (from < hole) left.push({ first: from, end: hole });
      from = Math.max(from, holeEnd);
    }
    if (from < end) left.push({ first: from, end });
  }
  return left;
}
