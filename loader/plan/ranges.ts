import type { Lifetime } from '../../clickhouse/coverage/missing-days.ts';
import { addDays, type Day, daysBetween } from '../../clickhouse/model/day.ts';
import type { DayRange } from '../../clickhouse/model/day-ranges.ts';

/** The days of a range that are not before the first and not after the end, where these are known. */
export function clip(range: DayRange, { firstDay, endDay }: Lifetime): DayRange {
  let { firstDay: first, endDay: end } = range;
  if (firstDay !== undefined && firstDay > first) first = firstDay;
  if (endDay !== undefined && endDay < end) end = endDay;
  return end > first ? { firstDay: first, endDay: end } : { firstDay: first, endDay: first };
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
