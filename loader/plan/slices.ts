import type { Days } from '../../clickhouse/coverage/ledger.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { addDays, type Day } from '../../clickhouse/model/day.ts';
import type { Source } from '../../clickhouse/model/report.ts';
import type { Slice } from '../sources/source.ts';

export type Range = Days;

/** Days without need of a load, by station and in order: in the ledger, or outside the station's period of record. */
export type DoneDays = ReadonlyMap<string, readonly Range[]>;

/** Range minus coverage: every run of days that is not done, cut at the turn of the year; of all stations, every day. */
export function planSlices(
  source: Source,
  stations: readonly string[],
  range: Range,
  done: DoneDays,
): Slice[] {
  return stations.flatMap((station) => {
    const slices: Slice[] = [];
    const cut = station === ALL_STATIONS ? singleDays : calendarYears;
    for (const run of missingRuns(range, done.get(station)))
      for (const piece of cut(run)) slices.push({ source, station, ...piece });
    return slices;
  });
}

/** The days of a range before `day`. */
export function cutAt(day: Day, { firstDay, endDay }: Range): Range {
  if (day <= firstDay) return { firstDay, endDay: firstDay };
  return { firstDay, endDay: day < endDay ? day : endDay };
}

/** The days of a range that are not done. */
export function missingRuns({ firstDay, endDay }: Range, done: readonly Range[] = []): Range[] {
  const runs: Range[] = [];
  let from = firstDay;
  for (const stretch of done) {
    if (stretch.firstDay > from) runs.push({ firstDay: from, endDay: stretch.firstDay });
    if (stretch.endDay > from) from = stretch.endDay;
  }
  if (from < endDay) runs.push({ firstDay: from, endDay });
  return runs;
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
