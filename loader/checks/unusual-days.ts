import { countCommon, type DayRun, type DaySet, subtract } from '../../clickhouse/model/day.ts';

const WEEK = 7;
/** Stations with fewer reports per day are irregular. */
const MIN_USUAL = 8;

/**
 * Finds days with few reports: fewer than half the median of the seven days before and the seven after, where the median
 * is eight or more; and fewer than half of the same weekday a week before or after, because many stations close at
 * weekends.
 *
 * @param reports by day number; a missing day has none
 */
export function lowCountDays(days: Iterable<number>, reports: ReadonlyMap<number, number>) {
  const countOn = (day: number) => reports.get(day) ?? 0;
  const found: { readonly day: number; readonly reports: number; readonly usual: number }[] = [];
  for (const day of days) {
    const count = countOn(day);
    if (count * 2 >= Math.max(countOn(day - WEEK), countOn(day + WEEK))) continue;
    const around = Array.from({ length: WEEK }, (_, n) => [day - n - 1, day + n + 1]).flat();
    // The lower of the two middle values: if half of the surrounding days have no report, that is normal.
    const usual = around.map(countOn).sort((a, b) => a - b)[WEEK - 1] ?? 0;
    if (usual >= MIN_USUAL && count * 2 < usual) found.push({ day, reports: count, usual });
  }
  return found;
}

/** Runs of done days without reports that are unusual for the station, each with the `longest` usual run in days. */
export type SilentRuns = readonly (DayRun & { readonly longest: number })[];

/** A station that closes at weekends reports on 10 of 14 days. */
export const DAYS_AROUND = 14;
const MIN_REPORTING = 11;
/** A silence is unusual if it is longer than holidays next to a weekend, and than three times the usual one. */
const [MIN_SILENT_DAYS, TIMES_USUAL] = [7, 3];
/** A longer run does not count as usual, however often it occurs, because a source can lack whole years. */
const MAX_USUAL_DAYS = 60;

/**
 * The runs of done days without a report that are not usual for a station (D57, D71). If it reports on most days before and
 * after a run, the run is unusual whatever its length. Any other run, also before the first and after the last report, is
 * unusual if it is longer than a week and three times as long as nine of ten of the other runs. So weekends, and the pauses of
 * a station that seldom reports, are usual. There are none if the station never reports.
 */
export function silentRuns(done: DaySet, reporting: DaySet): SilentRuns {
  if (reporting.length === 0) return [];
  const runs = subtract(done, reporting);
  const countReporting = (first: number, end: number) => countCommon([{ first, end }], reporting);
  const pauses = runs
    .filter(({ first, end }) => countReporting(first - 1, end + 1) === 2)
    .map(({ first, end }) => end - first)
    .sort((a, b) => a - b);
  return runs.flatMap(({ first, end }) => {
    const isAmongReports =
      countReporting(first - DAYS_AROUND, first) >= MIN_REPORTING &&
      countReporting(end, end + DAYS_AROUND) >= MIN_REPORTING;
    if (isAmongReports) return [{ first, end, longest: 0 }];
    const length = end - first;
    if (length <= MIN_SILENT_DAYS) return [];
    const at = pauses.indexOf(length);
    const others = at < 0 ? pauses : pauses.toSpliced(at, 1);
    const usual = Math.min(MAX_USUAL_DAYS, others[Math.ceil(others.length * 0.9) - 1] ?? 0);
    const longest = Math.max(MIN_SILENT_DAYS, TIMES_USUAL * usual);
    return length > longest ? [{ first, end, longest }] : [];
  });
}
