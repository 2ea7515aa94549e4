import { addDays, type Day, daysBetween } from '../../clickhouse/model/day.ts';
import type { DayRange } from '../../clickhouse/model/day-ranges.ts';

/** The days of a range before `end`. */
export function clip({ firstDay, endDay }: DayRange, end: Day): DayRange {
  if (end <= firstDay) return { firstDay, endDay: firstDay };
  return { firstDay, endDay: end < endDay ? end : endDay };
}

/** Splits a range at every 1 January. */
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

export function splitByDay({ firstDay, endDay }: DayRange): DayRange[] {
  return Array.from({ length: daysBetween(firstDay, endDay) }, (_, at) => ({
    firstDay: addDays(firstDay, at),
    endDay: addDays(firstDay, at + 1),
  }));
}
