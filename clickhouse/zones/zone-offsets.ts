import { dayStart, FIRST_DAY, SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE } from '../model/day.ts';
import type { TimeWindow } from '../model/time-window.ts';

/** What is added to UTC for local time, from a time to the next one. */
export type Offset = {
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly seconds: number;
};

/** Two years before the archive begins, because what a change means follows from the next one. */
const FIRST = dayStart(FIRST_DAY) - 2 * 365 * SECONDS_PER_DAY;
/** Zone rules are not known further ahead: the last offset holds from then on. */
const LAST = Date.UTC(2038) / 1000;

/** Since 2005 no zone has kept an offset for less than three weeks (Egypt, September 2010). */
const STEP = 14 * SECONDS_PER_DAY;

/** The offset of a zone from UTC, and the part of it that was standard time. */
type ZoneHistory = { readonly local: readonly Offset[]; readonly standard: readonly Offset[] };

/** By ICU name, about 600. Finding the changes of 35 years takes 4 ms. */
const HISTORIES = new Map<string, ZoneHistory>();

/** ICU's name for a zone. */
export function canonicalZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

export function secondsAt(offsets: readonly Offset[], time: number): number {
  return offsets.findLast(({ from }) => from <= time)?.seconds ?? 0;
}

/**
 * The time of a local time: the last one, where clocks are put back over it, and that of the change, where they are put
 * forward over it. So a day lasts from its midnight to the next, and one that a zone leaves out (Samoa's 30 December 2011) has
 * no time.
 */
export function timeOf(local: number, offsets: readonly Offset[]): number {
  const at = Math.max(
    0,
    offsets.findLastIndex(({ from, seconds }) => from + seconds < local),
  );
  return Math.min(local - (offsets[at]?.seconds ?? 0), offsets[at + 1]?.from ?? Number.POSITIVE_INFINITY);
}

/** The offsets of a zone that apply in a range. Seconds since 1970-01-01T00:00:00Z, `[from, to)`. */
export function offsetsWithin(zone: string, kind: 'local' | 'standard', { from, to }: TimeWindow) {
  const offsets = historyOf(zone)[kind].filter((offset) => offset.from < to);
  const first = Math.max(
    0,
    offsets.findLastIndex((offset) => offset.from <= from),
  );
  return offsets.slice(first).map((offset, n) => (n === 0 ? { ...offset, from: 0 } : offset));
}

function historyOf(zone: string): ZoneHistory {
  const known = HISTORIES.get(zone);
  if (known !== undefined) return known;
  const periods = findPeriods(zone);
  const history = { local: changesOf(periods), standard: changesOf(standardPeriods(periods)) };
  HISTORIES.set(zone, history);
  return history;
}

/** A time in which a zone has one offset, by one name: `Eastern European Summer Time`, or `GMT+03:00` where it has no name. */
type OffsetPeriod = Offset & { readonly name: string };

function findPeriods(timeZone: string): readonly OffsetPeriod[] {
  /** `1/31/2024, GMT-05:00`: what follows the date. */
  const textOf = (timeZoneName: 'long' | 'longOffset') => {
    const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName });
    return (time: number) => format.format(time * 1000).replace(/^[^,]*, /, '');
  };
  const [nameAt, offsetAt] = [textOf('long'), textOf('longOffset')];
  const periodAt = (from: number) => ({ from, seconds: secondsOf(offsetAt(from)), name: nameAt(from) });
  const periods = [periodAt(FIRST)];
  for (let time = FIRST; time < LAST; time += STEP) {
    const last = periods.at(-1) as OffsetPeriod;
    const isLast = (at: number) => secondsOf(offsetAt(at)) === last.seconds && nameAt(at) === last.name;
    if (isLast(time + STEP)) continue;
    let [before, after] = [time, time + STEP];
    while (after - before > SECONDS_PER_MINUTE) {
      const middle = before + Math.floor((after - before) / 2 / SECONDS_PER_MINUTE) * SECONDS_PER_MINUTE;
      if (isLast(middle)) before = middle;
      else after = middle;
    }
    periods.push(periodAt(after));
  }
  return periods;
}

/** Seconds east of UTC of `GMT-05:00`, and in older versions of ICU of `GMT` alone for UTC. */
function secondsOf(text: string): number {
  const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(text) ?? [];
  const seconds = Number(hours ?? 0) * SECONDS_PER_HOUR + Number(minutes ?? 0) * SECONDS_PER_MINUTE;
  return sign === '-' ? -seconds : seconds;
}

function changesOf(periods: readonly Offset[]): readonly Offset[] {
  return periods
    .filter(({ seconds }, n) => seconds !== periods[n - 1]?.seconds)
    .map(({ from, seconds }) => ({ from, seconds }));
}

/** Ireland's law calls summer time standard. */
const SUMMER_TIME = /(Summer|Daylight) Time$|^Irish Standard Time$/;
const HALF_AN_HOUR = /^Lord Howe/;
/** `GMT+01:00`, and before ICU 78 `GMT` alone for an offset of 0. */
const UNNAMED = /^GMT($|[+-])/;

/**
 * Standard time, as it was in force: local time without the hour of summer time. ICU does not give this part of an offset,
 * but it names most periods, and a name ends on the day on which the law changed: Istanbul had `Eastern European Summer Time`
 * from 27 March 2016 on, and +3 as standard time from 7 September on; Chile's summer time of 2014 lasted until May 2016.
 *
 * A period without a name (Jersey's summers, Barnaul until 2016, Morocco since 2018) is not standard time where it is taken
 * back within the length of summer time, or, for an hour less, of Ramadan. So Morocco has +1 since 28 October 2018.
 *
 * Where tzdb has negative daylight saving time in winter (Ireland, Namibia until 2017), winter is standard time here too:
 * the days of Dublin are those of London.
 */
function standardPeriods(periods: readonly OffsetPeriod[]): readonly Offset[] {
  let standard = 0;
  return periods.map((period, n) => {
    const { from, seconds, name } = period;
    if (SUMMER_TIME.test(name))
      standard = seconds - (HALF_AN_HOUR.test(name) ? SECONDS_PER_HOUR / 2 : SECONDS_PER_HOUR);
    else if (!UNNAMED.test(name) || !isTakenBack(period, periods[n - 1], periods[n + 1])) standard = seconds;
    return { from, seconds: standard };
  });
}

/** Summer time lasts up to eight months; an hour back for Ramadan lasts five weeks. */
const LONGEST_SUMMER = 300 * SECONDS_PER_DAY;
const LONGEST_RAMADAN = 60 * SECONDS_PER_DAY;

/** Whether an offset lies between two equal ones, no longer than summer time or Ramadan. */
function isTakenBack({ from, seconds }: OffsetPeriod, before?: OffsetPeriod, after?: OffsetPeriod): boolean {
  if (before === undefined || after === undefined) return false;
  const longest = seconds > before.seconds ? LONGEST_SUMMER : LONGEST_RAMADAN;
  return before.seconds !== seconds && before.seconds === after.seconds && after.from - from <= longest;
}
