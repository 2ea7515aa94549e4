import { countDaysOfYear, type DaysToHold } from '../../../clickhouse/coverage/rules.ts';
import type { StationDays } from '../../../clickhouse/coverage/station-days.ts';
import type { DayRange } from '../../../clickhouse/model/day-ranges.ts';
import { dayRangesOf, intersect, yearDays } from '../../../clickhouse/model/day-set.ts';
import type { Source } from '../../../clickhouse/model/report.ts';

/** Current reports by the source of their text. */
export type ReportCounts = ReadonlyMap<Source, number>;

/** A calendar year of one station, or of all stations together. */
export type YearStatus = {
  readonly year: number;
  /** Stations with due days. */
  readonly stations: number;
  /** Stations with open days. */
  readonly stationsOpen: number;
  readonly daysDue: number;
  readonly daysDone: number;
  readonly reports: ReportCounts;
  /** For one station: its open days. */
  readonly open: readonly DayRange[];
};

export type StationStatus = {
  readonly station: Pick<StationDays, 'station' | 'listings'>;
  readonly years: readonly YearStatus[];
};

const NO_REPORTS: ReportCounts = new Map();

export function yearStatus(year: number, days: DaysToHold, reports = NO_REPORTS): YearStatus {
  const counts = countDaysOfYear(year, days);
  return {
    year,
    stations: counts.daysDue > 0 ? 1 : 0,
    stationsOpen: counts.daysDone < counts.daysDue ? 1 : 0,
    ...counts,
    reports,
    open: dayRangesOf(intersect(days.open, yearDays(year))),
  };
}

export function emptyYear(year: number): YearStatus {
  return { year, stations: 0, stationsOpen: 0, daysDue: 0, daysDone: 0, reports: NO_REPORTS, open: [] };
}

/** The same year of more stations. */
export function addYears(a: YearStatus, b: YearStatus): YearStatus {
  const reports = new Map(a.reports);
  for (const [source, count] of b.reports) reports.set(source, (reports.get(source) ?? 0) + count);
  return {
    year: a.year,
    stations: a.stations + b.stations,
    stationsOpen: a.stationsOpen + b.stationsOpen,
    daysDue: a.daysDue + b.daysDue,
    daysDone: a.daysDone + b.daysDone,
    reports,
    open: [],
  };
}
