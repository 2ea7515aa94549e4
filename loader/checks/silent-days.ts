import type { Archive } from '../../clickhouse/archive.ts';
import { doneDaysOf, type RecordedSlice, readSliceHistory } from '../../clickhouse/coverage/ledger/ledger.ts';
import { provenDays } from '../../clickhouse/coverage/rules.ts';
import type { StationDays } from '../../clickhouse/coverage/station-days.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { groupBy } from '../../clickhouse/group-by.ts';
import {
  addDays,
  countCommon,
  type DayRun,
  type DaySet,
  dayNumber,
  dayOf,
  dayRangesOf,
  daySetOf,
  intersect,
  NO_DAYS,
  subtract,
  unionOf,
  yearOf,
  yearsOf,
} from '../../clickhouse/model/day.ts';
import type { Source } from '../../clickhouse/model/report.ts';
import type { Scope } from '../../clickhouse/model/time-window.ts';
import { isSourceName, SOURCE_ADAPTERS } from '../sources/registry.ts';
import { addGaps, type Gap, isListedFor } from './gap.ts';

/**
 * The days that are done and have no report although the station reports, before or after them. A source can send an
 * empty body for days that it has (one did for 27 days of a station, another for whole years), so they are requested
 * again until two runs on different days, or two sources, have found them empty.
 *
 * @returns the days by station, without stations that have none, and those of them to request again
 */
export async function findSilentDays(
  archive: Archive,
  scope: Scope,
  byStation: ReadonlyMap<string, StationDays>,
): Promise<{ readonly days: ReadonlyMap<string, DaySet>; readonly gaps: readonly Gap[] }> {
  const years = yearsOf({
    firstDay: addDays(scope.firstDay, -DAYS_AROUND),
    endDay: addDays(scope.endDay, DAYS_AROUND),
  });
  const [firstYear = 0, lastYear = 0] = [years[0], years.at(-1)];
  const asked = daySetOf(scope);
  const found = new Map<string, SilentRuns>();
  for (const [station, { everDone, reports, reportDays }] of byStation) {
    const ofOtherYears = reports
      .filter(({ first }) => yearOf(first) < firstYear || yearOf(first) > lastYear)
      .map(({ first, last }) => ({ first: dayNumber(first), end: dayNumber(last) + 1 }));
    const runs = silentRuns(everDone, unionOf([...reportDays, ...ofOtherYears]));
    if (intersect(daysOfRuns(runs), asked).length > 0) found.set(station, runs);
  }
  const recorded: RecordedSlice[] = [];
  for (const year of new Set([...found.values()].map(daysOfRuns).flatMap(dayRangesOf).flatMap(yearsOf)))
    recorded.push(...(await readSliceHistory(archive, year, [...found.keys()])));
  const history = groupBy(recorded, ({ station }) => station);
  const gaps: Gap[] = [];
  for (const [station, runs] of found) {
    const of = byStation.get(station) as StationDays;
    const rows = [
      ...(history.get(station) ?? []),
      ...(history.get(ALL_STATIONS) ?? []).filter(isListedFor(of)),
    ];
    const settled = foundEmptyTwice(rows);
    const again = runs.flatMap(({ run, longest }) =>
      subtract([run], settled).filter(({ first, end }) => end - first > longest),
    );
    const candidates = sourcesToAskAgain(of, asked);
    addGaps(gaps, 'silent', of, { days: intersect(again, asked), candidates });
  }
  return { days: new Map([...found].map(([station, runs]) => [station, daysOfRuns(runs)])), gaps };
}

/** Runs of done days without reports that are longer than is usual for the station: `longest`. */
type SilentRuns = readonly { readonly run: DayRun; readonly longest: number }[];

const daysOfRuns = (runs: SilentRuns): DaySet => runs.map(({ run }) => run);

/** A station that closes at weekends reports on 10 of 14 days. */
const [DAYS_AROUND, MIN_REPORTING] = [14, 11];
/** A silence is unusual if it is longer than holidays next to a weekend, and than three times the usual one. */
const [MIN_SILENT_DAYS, TIMES_USUAL] = [7, 3];
/** A longer silence is no habit of a station, however often its source has left out a whole year. */
const MAX_USUAL_DAYS = 60;

/**
 * The runs of done days without a report that are not usual for a station (D57, D71): of any length while it reports on
 * most days before and after them; else, also before its first and after its last report, those of more than a week and
 * three times as long as nine of ten of its other silences. So weekends, and the pauses of a station that seldom reports,
 * are usual. None if the station never reports.
 */
export function silentRuns(done: DaySet, reporting: DaySet): SilentRuns {
  if (reporting.length === 0) return [];
  const runs = subtract(done, reporting);
  const countReporting = (first: number, end: number) => countCommon([{ first, end }], reporting);
  const pauses = runs
    .filter(({ first, end }) => countReporting(first - 1, end + 1) === 2)
    .map(({ first, end }) => end - first)
    .sort((a, b) => a - b);
  return runs.flatMap((run) => {
    const { first, end } = run;
    const isAmongReports =
      countReporting(first - DAYS_AROUND, first) >= MIN_REPORTING &&
      countReporting(end, end + DAYS_AROUND) >= MIN_REPORTING;
    if (isAmongReports) return [{ run, longest: 0 }];
    const length = end - first;
    if (length <= MIN_SILENT_DAYS) return [];
    const at = pauses.indexOf(length);
    const others = at < 0 ? pauses : pauses.toSpliced(at, 1);
    const usual = Math.min(MAX_USUAL_DAYS, others[Math.ceil(others.length * 0.9) - 1] ?? 0);
    const longest = Math.max(MIN_SILENT_DAYS, TIMES_USUAL * usual);
    return length > longest ? [{ run, longest }] : [];
  });
}

/** First the source that made the days done. One that sends all stations alone is a last resort: a day takes 25 requests. */
function sourcesToAskAgain({ done, listings }: StationDays, asked: DaySet): StationDays['done'] {
  const sendsOneStation = ({ source }: { readonly source: Source }) =>
    isSourceName(source) && SOURCE_ADAPTERS[source]().givesAllStations !== 'only';
  const others = listings.filter(sendsOneStation).map(({ source }) => ({ source, days: asked }));
  return [...done.filter(sendsOneStation), ...others, ...done];
}

/** The days that rows of two sources, or rows that were recorded on two days, have made done. */
function foundEmptyTwice(rows: readonly RecordedSlice[]): DaySet {
  const twice: DayRun[] = [];
  const bySource = groupBy(rows, ({ source }) => source);
  const byDay = groupBy(rows, ({ recordedAt }) => dayOf(recordedAt));
  for (const groups of [bySource, byDay]) {
    let once = NO_DAYS;
    for (const group of groups.values()) {
      const days = unionOf(group.flatMap((row) => provenDays(row.source, doneDaysOf(row))));
      twice.push(...intersect(once, days));
      once = unionOf([...once, ...days]);
    }
  }
  return unionOf(twice);
}
