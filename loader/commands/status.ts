import type { Archive } from '../../clickhouse/archive.ts';
import { readLastLoads } from '../../clickhouse/coverage/ledger/ledger.ts';
import { readNewestReport, readYearlyCounts } from '../../clickhouse/coverage/report-counts.ts';
import { countDaysOfYear, type DaysToHold } from '../../clickhouse/coverage/rules.ts';
import {
  readListedStations,
  readStationDays,
  type StationDays,
} from '../../clickhouse/coverage/station-days.ts';
import {
  addDays,
  type DayRange,
  dayOf,
  dayRangesOf,
  FIRST_DAY,
  intersect,
  yearDays,
} from '../../clickhouse/model/day.ts';
import type { Source } from '../../clickhouse/model/report.ts';
import type { StatusDetail } from '../args/command.ts';
import {
  type Freshness,
  formatStatusJson,
  freshnessLines,
  stationLines,
  summaryLines,
} from './format-status.ts';

const FIRST_YEAR = Number(FIRST_DAY.slice(0, 4));

/**
 * What the archive holds and lacks, as lines: by year over all stations, or station by station if the command names
 * them.
 *
 * @param json for programs: one line of JSON
 */
export async function statusOf(
  client: Archive,
  detail: StatusDetail,
  now: Date,
  signal: AbortSignal,
  json = false,
): Promise<readonly string[]> {
  const { years, stations } = await readStatus(client, detail, now, signal);
  const lines = json ? [] : stations.flatMap(stationLines);
  if (lines.length > 0) return lines;
  const freshness = await readFreshness(client, now, signal);
  if (json) return [formatStatusJson(years, detail === undefined ? undefined : stations, freshness)];
  return [...summaryLines(years), ...freshnessLines(freshness, now)];
}

async function readFreshness(client: Archive, now: Date, signal: AbortSignal): Promise<Freshness> {
  const [newestReport, loads] = await Promise.all([
    readNewestReport(client, now, signal),
    readLastLoads(client, signal),
  ]);
  return { newestReport, loads };
}

async function readStatus(
  client: Archive,
  detail: StatusDetail,
  now: Date,
  signal: AbortSignal,
): Promise<{ readonly years: readonly YearStatus[]; readonly stations: readonly StationStatus[] }> {
  const stations = detail ?? [];
  const years = Array.from({ length: now.getUTCFullYear() - FIRST_YEAR + 1 }, (_, n) => FIRST_YEAR + n);
  const reports = new Map<string, Map<number, ReportCounts>>();
  for (const year of years)
    for (const count of await readYearlyCounts(client, year, stations, signal)) {
      const ofStation = reports.get(count.station) ?? new Map<number, ReportCounts>();
      reports.set(count.station, ofStation);
      const ofYear = new Map(ofStation.get(year)).set(count.source, count.reports);
      ofStation.set(year, ofYear);
    }
  // Reports from files come without a listing.
  const all =
    stations.length > 0
      ? stations
      : [...new Set([...(await readListedStations(client, signal)), ...reports.keys()])];

  const range = { firstDay: FIRST_DAY, endDay: addDays(dayOf(now.getTime() / 1000), 1) };
  let summary: readonly YearStatus[] = years.map(emptyYear);
  const found: StationStatus[] = [];
  for await (const days of readStationDays(client, all, range, now, signal)) {
    const counts = reports.get(days.station);
    const status = years.map((year) => yearStatus(year, days, counts?.get(year)));
    summary = summary.map((sum, n) => addYears(sum, status[n] as YearStatus));
    const { station, listings } = days;
    if (detail !== undefined) found.push({ station: { station, listings }, years: status });
  }
  return { years: summary, stations: found };
}

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

function emptyYear(year: number): YearStatus {
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
