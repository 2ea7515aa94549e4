import { addDays, type Day, daysBetween } from './day.ts';

/** UTC days without a gap, `[firstDay, endDay)`. */
export type DayRange = { readonly firstDay: Day; readonly endDay: Day };

/** The first day that a source can hold, and the first that it no longer can. */
export type Lifetime = { readonly firstDay?: Day | undefined; readonly endDay?: Day | undefined };

/** The days of a range in a lifetime. */
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

/** The calendar years that a range touches. */
export function yearsOf(range: DayRange): readonly number[] {
  return splitByYear(range).map(({ firstDay }) => Number(firstDay.slice(0, 4)));
}

export function splitByDay({ firstDay, endDay }: DayRange): DayRange[] {
  return Array.from({ length: daysBetween(firstDay, endDay) }, (_, at) => ({
    firstDay: addDays(firstDay, at),
    endDay: addDays(firstDay, at + 1),
  }));
}
