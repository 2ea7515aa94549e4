import { addDays, type Day } from '../../clickhouse/model/day.ts';

export type LowCountDay = { readonly day: Day; readonly reports: number; readonly usual: number };

const WEEK = 7;
/** A station that sends fewer reports a day is irregular by nature. */
const LEAST_USUAL = 8;

/**
 * Days that hold suspiciously few reports: fewer than half the median of the seven days before and the seven after, where
 * that is at least eight; and fewer than half of what the same weekday held a week before or after, for many stations
 * rest at weekends.
 *
 * @param reports by day; a day that is not there holds none
 */
export function lowCountDays(days: Iterable<Day>, reports: ReadonlyMap<Day, number>): readonly LowCountDay[] {
  const on = (day: Day) => reports.get(day) ?? 0;
  const thin: LowCountDay[] = [];
  for (const day of days) {
    const held = on(day);
    if (held * 2 >= Math.max(on(addDays(day, -WEEK)), on(addDays(day, WEEK)))) continue;
    const usual = lowMedian(around(day).map(on));
    if (usual >= LEAST_USUAL && held * 2 < usual) thin.push({ day, reports: held, usual });
  }
  return thin;
}

function around(day: Day): readonly Day[] {
  return Array.from({ length: WEEK }, (_, n) => [addDays(day, -n - 1), addDays(day, n + 1)]).flat();
}

/** The lower of the two in the middle: where half of the days around are silent, silence is usual. */
function lowMedian(counts: readonly number[]): number {
  return counts.toSorted((a, b) => a - b)[Math.ceil(counts.length / 2) - 1] ?? 0;
}
