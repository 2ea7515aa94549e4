import type { Archive } from '../../clickhouse/archive.ts';
import { type LastLoad, readLastLoads } from '../../clickhouse/coverage/ledger/ledger.ts';
import { readNewestReport, readReportCounts } from '../../clickhouse/coverage/report-counts.ts';
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
  NO_DAYS,
  yearDays,
  yearsOf,
} from '../../clickhouse/model/day.ts';
import type { Source } from '../../clickhouse/model/report.ts';
import { yearWindow } from '../../clickhouse/model/time-window.ts';
import { STATION_WORDS, stationsOf } from '../args/options.ts';
import { formatDuration, formatMinute, plural } from '../wording.ts';
import type { LoaderProgram } from './command.ts';

export function declareStatus({ add, accept }: LoaderProgram): void {
  add('status [STATION...]', 'prints the coverage of each year; with stations, of each station')
    .argument(...STATION_WORDS)
    .option('--json', 'print one JSON text, for programs')
    .action((words, { json: isJson = false }) => {
      const detail = stationsOf(words);
      accept({ kind: 'status', detail, isJson }, async ({ archive, output }) => {
        for (const line of await readStatusOf(archive, detail, new Date(), isJson)) output.print(line);
        return true;
      });
    });
}

/**
 * What the archive holds and lacks, as lines: by year over all stations, or station by station if the command names
 * them.
 *
 * @param json for programs: one line of JSON
 */
export async function readStatusOf(
  archive: Archive,
  detail: readonly string[] | undefined,
  now: Date,
  json = false,
): Promise<readonly string[]> {
  const range = { firstDay: FIRST_DAY, endDay: addDays(dayOf(now.getTime() / 1000), 1) };
  const years = yearsOf(range);
  const reports = await readReportsByYear(archive, detail ?? [], years);
  // Reports from files come without a listing.
  const stations = detail?.length
    ? detail
    : [...new Set([...(await readListedStations(archive)), ...reports.keys()])];
  let summary = years.map((year) => yearStatus(year, NO_DAYS_TO_HOLD));
  const found: StationStatus[] = [];
  /** Stations that no source lists, and their reports. */
  const ofFiles = { stations: 0, reports: 0 };
  for await (const days of readStationDays(archive, stations, range, now)) {
    const counts = reports.get(days.station);
    const status = years.map((year) => yearStatus(year, days, counts?.get(year)));
    summary = summary.map((sum, n) => addYears(sum, status[n] as YearStatus));
    if (detail !== undefined) found.push({ station: days, years: status });
    if (days.listings.length > 0 || counts === undefined) continue;
    ofFiles.stations += 1;
    for (const ofYear of counts.values()) ofFiles.reports += totalOf(ofYear);
  }
  const lines = json ? [] : found.flatMap(stationLines);
  if (lines.length > 0) return lines;
  const newestReport = await readNewestReport(archive, now);
  const loads = await readLastLoads(archive);
  if (json) return [formatStatusJson(summary, ofFiles, detail && found, newestReport, loads)];
  const filesLine = `files: ${plural(ofFiles.reports, 'report')} of ${plural(ofFiles.stations, 'station')} that no source lists; no day of theirs is due`;
  return [
    ...summaryLines(summary),
    ...(ofFiles.stations > 0 ? [filesLine] : []),
    ...freshnessLines(newestReport, loads, now),
  ];
}

async function readReportsByYear(archive: Archive, stations: readonly string[], years: readonly number[]) {
  const reports = new Map<string, Map<number, ReportCounts>>();
  for (const year of years)
    for (const count of await readReportCounts(archive, { stations, ...yearWindow(year) })) {
      const ofStation = reports.get(count.station) ?? new Map<number, ReportCounts>();
      ofStation.set(year, new Map(ofStation.get(year)).set(count.source, count.reports));
      reports.set(count.station, ofStation);
    }
  return reports;
}

/** Current reports by the source of their text. */
export type ReportCounts = ReadonlyMap<Source, number>;

/** A calendar year of one station, or of all stations together. */
export type YearStatus = {
  readonly year: number;
  readonly stations: number;
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

const NO_DAYS_TO_HOLD: DaysToHold = { due: NO_DAYS, open: NO_DAYS };

export function yearStatus(year: number, days: DaysToHold, reports: ReportCounts = new Map()): YearStatus {
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

const MAX_RANGES = 3;

/** One line per year over all stations, and a last line over all years. Consecutive empty years share a line. */
export function summaryLines(years: readonly YearStatus[]): readonly string[] {
  const { daysDue, daysDone, reports } = years.reduce(addYears, yearStatus(0, NO_DAYS_TO_HOLD));
  if (daysDue === 0 && reports.size === 0) return ['The archive is empty.'];
  const lines = yearLines(years, 'station-days', (year) => {
    const open = year.daysDue - year.daysDone;
    const missing =
      open === 0 ? '' : `, ${open} missing at ${year.stationsOpen} of ${plural(year.stations, 'station')}`;
    return `${year.daysDone} of ${year.daysDue} station-days done${missing}`;
  });
  const held = plural(totalOf(reports), 'report');
  return [...lines, `all: ${daysDone} of ${daysDue} station-days done, ${held}`];
}

/** One line for each year of a station; `years` in order. */
export function stationLines({ station: { station, listings }, years }: StationStatus): readonly string[] {
  const isListed = listings.length > 0;
  if (!isListed && years.every(({ reports }) => totalOf(reports) === 0))
    return [`${station}: no reports; no source lists this station, so none of its days count as done`];
  return yearLines(years, 'days', (year) =>
    isListed
      ? `${year.daysDone} of ${year.daysDue} days done${missingText(year)}`
      : 'no source lists this station',
  ).map((line) => `${station} ${line}`);
}

/** Consecutive years without done days or reports share a line. Years without due days or reports have no line. */
function yearLines(
  years: readonly YearStatus[],
  unit: 'days' | 'station-days',
  doneText: (year: YearStatus) => string,
): readonly string[] {
  const lines: string[] = [];
  let empty: { readonly first: number; readonly days: number } | undefined;
  for (const year of years) {
    if (year.daysDone > 0 || totalOf(year.reports) > 0) {
      lines.push(`${year.year}: ${doneText(year)}, ${reportsText(year.reports)}`);
      empty = undefined;
    } else if (year.daysDue > 0) {
      if (empty !== undefined) lines.pop();
      const { first, days }: NonNullable<typeof empty> = empty ?? { first: year.year, days: 0 };
      empty = { first, days: days + year.daysDue };
      const named = first === year.year ? first : `${first} to ${year.year}`;
      lines.push(`${named}: 0 of ${empty.days} ${unit} done`);
    }
  }
  return lines;
}

function missingText({ open }: YearStatus): string {
  if (open.length === 0) return '';
  const named = open
    .slice(0, MAX_RANGES)
    .map(({ firstDay, endDay }) => `${firstDay} to ${endDay}`)
    .join(', ');
  const more = open.length > MAX_RANGES ? ` and ${open.length - MAX_RANGES} more ranges` : '';
  return `, missing ${named}${more}`;
}

function reportsText(reports: ReportCounts): string {
  const bySource = [...reports].toSorted(([, a], [, b]) => b - a);
  if (bySource.length === 0) return 'no reports';
  const sources = bySource.map(([source, count]) => {
    const name = source === 'demo' ? 'demo, synthetic' : source;
    return bySource.length > 1 ? `${name} ${count}` : name;
  });
  return `${plural(totalOf(reports), 'report')} (${sources.join(', ')})`;
}

function totalOf(reports: ReportCounts): number {
  return [...reports.values()].reduce((sum, count) => sum + count, 0);
}

/** One JSON text for programs. Years in which nothing is due and nothing is held, and unknown values, are left out. */
function formatStatusJson(
  years: readonly YearStatus[],
  ofFiles: { readonly stations: number; readonly reports: number },
  stations: readonly StationStatus[] | undefined,
  newestReport: number | undefined,
  loads: readonly LastLoad[],
): string {
  return JSON.stringify({
    newestReport: newestReport === undefined ? undefined : formatMinute(newestReport),
    ...(ofFiles.stations > 0 && { ofFiles }),
    sources: loads.map(({ source, loadedAt, inserted, failedAt, failure }) => ({
      source,
      ...(loadedAt > 0 && { lastLoad: { endedAt: formatMinute(loadedAt), newReports: inserted } }),
      ...(failedAt > 0 && { lastFailure: { at: formatMinute(failedAt), reason: failure } }),
    })),
    years: years.filter(isUsed).map((year) => ({
      year: year.year,
      stations: year.stations,
      stationsOpen: year.stationsOpen,
      ...yearCountsOf(year),
    })),
    ...(stations !== undefined && {
      stations: stations.map(({ station: { station, listings }, years: ofStation }) => ({
        station,
        listedBy: listings.map(({ source }) => source),
        years: ofStation.filter(isUsed).map((year) => ({
          year: year.year,
          ...yearCountsOf(year),
          missing: year.open.map(({ firstDay, endDay }) => ({ from: firstDay, to: endDay })),
        })),
      })),
    }),
  });
}

function isUsed({ daysDue, reports }: YearStatus): boolean {
  return daysDue > 0 || reports.size > 0;
}

function yearCountsOf({ daysDue, daysDone, reports }: YearStatus) {
  return { daysDue, daysDone, reports: Object.fromEntries(reports) };
}

/**
 * A line for the newest report, and one for each source that was loaded from.
 *
 * @param newestReport `undefined` if the archive has no reports
 */
function freshnessLines(
  newestReport: number | undefined,
  loads: readonly LastLoad[],
  now: Date,
): readonly string[] {
  const ago = (time: number) => `${formatDuration(Math.max(0, now.getTime() / 1000 - time))} ago`;
  return [
    ...(newestReport === undefined
      ? []
      : [`newest report: ${formatMinute(newestReport)}, ${ago(newestReport)}`]),
    ...loads.map(({ source, loadedAt, inserted, failedAt, failure }) => {
      const last =
        loadedAt === 0
          ? 'nothing was loaded'
          : `last load ${formatMinute(loadedAt)}, ${ago(loadedAt)}, ${plural(inserted, 'new report')}`;
      return `${source}: ${last}${failedAt === 0 ? '' : `; last failure ${formatMinute(failedAt)}, ${ago(failedAt)}: ${failure}`}`;
    }),
  ];
}
