import { addDays, type Day } from '../../clickhouse/model/day.ts';

type LowCountDay = { readonly day: Day; readonly reports: number; readonly usual: number };

const WEEK = 7;
/** Stations with fewer reports per day are irregular. */
const MIN_USUAL = 8;

/**
 * Finds days with few reports: fewer than half the median of the seven days before and the seven after, where the median
 * is eight or more; and fewer than half of the same weekday a week before or after, because many stations close at
 * weekends.
 *
 * @param reports by day; a missing day has none
 */
export function lowCountDays(days: Iterable<Day>, reports: ReadonlyMap<Day, number>): readonly LowCountDay[] {
  const countOn = (day: Day) => reports.get(day) ?? 0;
  const found: LowCountDay[] = [];
  for (const day of days) {
    const count = countOn(day);
    if (count * 2 >= Math.max(countOn(addDays(day, -WEEK)), countOn(addDays(day, WEEK)))) continue;
    const usual = lowMedian(daysAround(day).map(countOn));
    if (usual >= MIN_USUAL && count * 2 < usual) found.push({ day, reports: count, usual });
  }
  return found;
}

function daysAround(day: Day): readonly Day[] {
  return Array.from({ length: WEEK }, (_, n) => [addDays(day, -n - 1), addDays(day, n + 1)]).flat();
}

/** The lower of the two middle values: if half of the surrounding days have no report, that is normal. */
function lowMedian(counts: readonly number[]): number {
  return counts.toSorted((a, b) => a - b)[Math.ceil(counts.length / 2) - 1] ?? 0;
}
