import { addDays, type Day } from '../clickhouse/day.ts';
import type { Range } from './plan.ts';

/** Days in order as runs without holes, each with the day after its last. */
export function runsOf(days: Iterable<Day>): readonly Range[] {
  const runs: { firstDay: Day; endDay: Day }[] = [];
  for (const day of days) {
    const run = runs.at(-1);
    if (run?.endDay === day) run.endDay = addDays(day, 1);
    else runs.push({ firstDay: day, endDay: addDays(day, 1) });
  }
  return runs;
}
