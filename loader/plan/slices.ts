import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { addDays, type Day } from '../../clickhouse/model/day.ts';
import type { DayRange } from '../../clickhouse/model/day-ranges.ts';
import type { Source } from '../../clickhouse/model/report.ts';
import type { Slice } from '../sources/source.ts';

export type Range = DayRange;

/** One slice a station and calendar year; of all stations, one a day. */
export function planSlices(source: Source, missing: ReadonlyMap<string, readonly DayRange[]>): Slice[] {
  return [...missing].flatMap(([station, ranges]) =>
    ranges
      .flatMap(station === ALL_STATIONS ? singleDays : calendarYears)
      .map((range) => ({ source, station, ...range })),
  );
}

/** The days of a range before `day`. */
export function cutAt(day: Day, { firstDay, endDay }: Range): Range {
  if (day <= firstDay) return { firstDay, endDay: firstDay };
  return { firstDay, endDay: day < endDay ? day : endDay };
}

/** The days that two lists of ranges, each in order, have in common. */
export function inBoth(a: readonly Range[], b: readonly Range[]): Range[] {
  return a.flatMap((one) =>
    b.flatMap((other) => {
      const firstDay = later(one.firstDay, other.firstDay);
      const { endDay } = cutAt(one.endDay, other);
      return firstDay < endDay ? [{ firstDay, endDay }] : [];
    }),
  );
}

function later(a: Day, b: Day): Day {
  if (a < b) return b;
  return a;
}

export function calendarYears({ firstDay, endDay }: Range): Range[] {
  const years: Range[] = [];
  for (let from = firstDay; from < endDay; ) {
    const nextYear = `${Number(from.slice(0, 4)) + 1}-01-01` as Day;
    const to = nextYear < endDay ? nextYear : endDay;
    years.push({ firstDay: from, endDay: to });
    from = to;
  }
  return years;
}

function singleDays({ firstDay, endDay }: Range): Range[] {
  const days: Range[] = [];
  for (let day = firstDay; day < endDay; day = addDays(day, 1))
    days.push({ firstDay: day, endDay: addDays(day, 1) });
  return days;
}
