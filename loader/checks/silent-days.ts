import type { Archive } from '../../clickhouse/archive.ts';
import {
  doneDaysOf,
  type RecordedSlice,
  readSliceHistory,
} from '../../clickhouse/coverage/ledger/read-slices.ts';
import { readReportingDays } from '../../clickhouse/coverage/report-counts.ts';
import type { StationDays } from '../../clickhouse/coverage/station-days.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { groupBy } from '../../clickhouse/group-by.ts';
import {
  addDays,
  countDays,
  type DaySet,
  dayOf,
  dayRangesOf,
  intersect,
  NO_DAYS,
  subtract,
  unionOf,
  yearsOf,
} from '../../clickhouse/model/day.ts';
import type { Scope } from '../../clickhouse/model/time-window.ts';
import { addGaps, type Gap } from './gap.ts';

/** A station that closes at weekends reports on 10 of 14 days. */
const [DAYS_AROUND, MIN_REPORTING] = [14, 11];

/**
 * The days that are done and have no report although the station reports before and after them. A source can send an
 * empty body for days that it has (one did for 27 days of a station), so they are requested again until two runs on
 * different days, or two sources, have found them empty.
 *
 * @returns the days by station, without stations that have none, and those of them to request again
 */
export async function findSilentDays(
  client: Archive,
  scope: Scope,
  byStation: ReadonlyMap<string, StationDays>,
): Promise<{ readonly days: ReadonlyMap<string, DaySet>; readonly gaps: readonly Gap[] }> {
  const years = yearsOf({
    firstDay: addDays(scope.firstDay, -DAYS_AROUND),
    endDay: addDays(scope.endDay, DAYS_AROUND),
  });
  const [firstYear = 0, lastYear = 0] = [years[0], years.at(-1)];
  const reporting = await readReportingDays(client, scope.stations, { firstYear, lastYear });
  const found = new Map<string, DaySet>();
  for (const [station, { due, open }] of byStation) {
    const days = silentDays(subtract(due, open), reporting.get(station) ?? NO_DAYS);
    if (days.length > 0) found.set(station, days);
  }
  const recorded: RecordedSlice[] = [];
  for (const year of new Set([...found.values()].flatMap(dayRangesOf).flatMap(yearsOf)))
    recorded.push(...(await readSliceHistory(client, year, [...found.keys()])));
  const history = groupBy(recorded, ({ station }) => station);
  const gaps: Gap[] = [];
  for (const [station, days] of found) {
    const of = byStation.get(station) as StationDays;
    const isListed = ({ source }: RecordedSlice) => of.listings.some((listing) => listing.source === source);
    const rows = [...(history.get(station) ?? []), ...(history.get(ALL_STATIONS) ?? []).filter(isListed)];
    // Requested from the source that made them done.
    addGaps(gaps, 'silent', of, subtract(days, foundEmptyTwice(rows)), of.done);
  }
  return { days: found, gaps };
}

/** Runs of done days without reports while the station reports on most days around them. */
export function silentDays(done: DaySet, reporting: DaySet): DaySet {
  const reports = (first: number, end: number) => countDays(intersect(reporting, [{ first, end }]));
  return subtract(done, reporting).filter(
    ({ first, end }) =>
      reports(first - DAYS_AROUND, first) >= MIN_REPORTING &&
      reports(end, end + DAYS_AROUND) >= MIN_REPORTING,
  );
}

/** The days that rows of two sources, or rows that were recorded on two days, have made done. */
function foundEmptyTwice(rows: readonly RecordedSlice[]): DaySet {
  return unionOf(
    [groupBy(rows, ({ source }) => source), groupBy(rows, ({ recordedAt }) => dayOf(recordedAt))].flatMap(
      (groups) => {
        let [once, twice] = [NO_DAYS, NO_DAYS];
        for (const group of groups.values()) {
          const days = unionOf(group.flatMap(doneDaysOf));
          twice = unionOf([...twice, ...intersect(once, days)]);
          once = unionOf([...once, ...days]);
        }
        return twice;
      },
    ),
  );
}
