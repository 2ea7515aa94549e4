import { addDays, type Day } from './day.ts';

/** Days without a hole between them, `[firstDay, endDay)`. */
export type DayRange = { readonly firstDay: Day; readonly endDay: Day };

/** Days of a year, 1 to 366 and in order, as runs. */
export function dayRanges(year: number, days: Iterable<number>): readonly DayRange[] {
  const runs: { first: number; last: number }[] = [];
  for (const day of days) {
    const run = runs.at(-1);
    if (run?.last === day - 1) run.last = day;
    else runs.push({ first: day, last: day });
  }
  const newYear = `${year}-01-01` as Day;
  return runs.map(({ first, last }) => ({
    firstDay: addDays(newYear, first - 1),
    endDay: addDays(newYear, last),
  }));
}
