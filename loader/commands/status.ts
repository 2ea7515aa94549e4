import type { Archive } from '../../clickhouse/archive.ts';
import { readLastLoads } from '../../clickhouse/coverage/ledger/ledger.ts';
import { readNewestReport, readReportCounts } from '../../clickhouse/coverage/report-counts.ts';
import { countDaysOfYear } from '../../clickhouse/coverage/rules.ts';
import { readListedStations, readStationDays } from '../../clickhouse/coverage/station-days.ts';
import {
  addDays,
  type Day,
  dayOf,
  dayRangesOf,
  FIRST_DAY,
  intersect,
  yearDays,
  yearsOf,
} from '../../clickhouse/model/day.ts';
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
        const now = new Date();
        const status = await readStatus(archive, detail, now);
        for (const line of isJson ? [JSON.stringify(status)] : statusLines(status, now)) output.print(line);
        return true;
      });
    });
}

/** What the archive holds and lacks, as `--json` prints it. Years in which nothing is due and nothing is held are left out. */
export type Status = Awaited<ReturnType<typeof readStatus>>;

/** A calendar year of one station, or of all stations together. */
type YearStatus = {
  readonly year: number;
  readonly daysDue: number;
  readonly daysDone: number;
  /** Current reports by the source of their text. */
  readonly reports: Readonly<Record<string, number>>;
};

type YearOfStations = YearStatus & { readonly stations: number; readonly stationsOpen: number };

export type StationStatus = {
  readonly station: string;
  readonly listedBy: readonly string[];
  readonly years: readonly (YearStatus & { readonly missing: readonly { from: Day; to: Day }[] })[];
};

/** @param detail also station by station: codes, or an empty list for all stations */
export async function readStatus(archive: Archive, detail: readonly string[] | undefined, now: Date) {
  const range = { firstDay: FIRST_DAY, endDay: addDays(dayOf(now.getTime() / 1000), 1) };
  const reports = await readReportsByYear(archive, detail ?? [], yearsOf(range));
  // Reports from files come without a listing.
  const codes = detail?.length
    ? detail
    : [...new Set([...(await readListedStations(archive)), ...reports.keys()])];
  const years = new Map<number, YearOfStations>();
  const stations: StationStatus[] = [];
  /** Stations that no source lists, and their reports. */
  const ofFiles = { stations: 0, reports: 0 };
  for await (const days of readStationDays(archive, codes, range, now)) {
    const { station, listings, open } = days;
    const ofStation = yearsOf(range).flatMap((year) => {
      const status = { ...countDaysOfYear(year, days), reports: reports.get(station)?.get(year) ?? {} };
      if (status.daysDue === 0 && reportsOfYear(status) === 0) return [];
      const missing = dayRangesOf(intersect(open, yearDays(year)));
      return [{ year, ...status, missing: missing.map(({ firstDay: from, endDay: to }) => ({ from, to })) }];
    });
    for (const each of ofStation) years.set(each.year, withStation(years.get(each.year), each));
    const listedBy = listings.map(({ source }) => source);
    if (detail !== undefined) stations.push({ station, listedBy, years: ofStation });
    if (listings.length > 0 || ofStation.length === 0) continue;
    ofFiles.stations += 1;
    for (const each of ofStation) ofFiles.reports += reportsOfYear(each);
  }
  const newestReport = await readNewestReport(archive, now);
  const sources = (await readLastLoads(archive)).map(({ source, loadedAt, inserted, failedAt, failure }) => ({
    source,
    ...(loadedAt > 0 && { lastLoad: { endedAt: formatMinute(loadedAt), newReports: inserted } }),
    ...(failedAt > 0 && { lastFailure: { at: formatMinute(failedAt), reason: failure } }),
  }));
  return {
    ...(newestReport !== undefined && { newestReport: formatMinute(newestReport) }),
    ...(ofFiles.stations > 0 && { ofFiles }),
    sources,
    years: [...years.values()].toSorted((a, b) => a.year - b.year),
    ...(detail !== undefined && { stations }),
  };
}

async function readReportsByYear(archive: Archive, stations: readonly string[], years: readonly number[]) {
  const found = new Map<string, Map<number, YearStatus['reports']>>();
  for (const year of years)
    for (const { station, source, reports } of await readReportCounts(archive, {
      stations,
      ...yearWindow(year),
    })) {
      const ofStation = found.get(station) ?? new Map<number, YearStatus['reports']>();
      found.set(station, ofStation.set(year, { ...ofStation.get(year), [source]: reports }));
    }
  return found;
}

function reportsOfYear({ reports }: Pick<YearStatus, 'reports'>): number {
  return Object.values(reports).reduce((sum, count) => sum + count, 0);
}

/** The sum of a year over some stations, with one more station. */
function withStation(sum: YearOfStations | undefined, { year, daysDue, daysDone, reports }: YearStatus) {
  const before = sum ?? { stations: 0, stationsOpen: 0, daysDue: 0, daysDone: 0, reports: {} };
  const counts: Record<string, number> = { ...before.reports };
  for (const [source, count] of Object.entries(reports)) counts[source] = (counts[source] ?? 0) + count;
  return {
    year,
    stations: before.stations + (daysDue > 0 ? 1 : 0),
    stationsOpen: before.stationsOpen + (daysDone < daysDue ? 1 : 0),
    daysDue: before.daysDue + daysDue,
    daysDone: before.daysDone + daysDone,
    reports: counts,
  };
}

/** Lines for the stations that the command names; else for the archive by year, and for how new its reports are. */
export function statusLines({ stations = [], ...status }: Status, now: Date): readonly string[] {
  const lines = stations.flatMap(stationLines);
  return lines.length > 0 ? lines : [...summaryLines(status), ...freshnessLines(status, now)];
}

const MAX_RANGES = 3;

/** One line per year over all stations, then those of all years and of files. */
function summaryLines({ years, ofFiles }: Status): readonly string[] {
  const all = years.reduce<YearOfStations | undefined>(withStation, undefined);
  if (all === undefined) return ['The archive is empty.'];
  const lines = years.map((year) => {
    const open = year.daysDue - year.daysDone;
    const where = `${year.stationsOpen} of ${plural(year.stations, 'station')}`;
    const missing = open === 0 ? '' : `, ${open} missing at ${where}`;
    return `${year.year}: ${doneText(year, 'station-days')}${missing}, ${reportsText(year)}`;
  });
  lines.push(`all: ${doneText(all, 'station-days')}, ${plural(reportsOfYear(all), 'report')}`);
  if (ofFiles !== undefined)
    lines.push(
      `files: ${plural(ofFiles.reports, 'report')} of ${plural(ofFiles.stations, 'station')} that no source lists; no day of theirs is due`,
    );
  return lines;
}

/** One line for each year of a station. */
function stationLines({ station, listedBy, years }: StationStatus): readonly string[] {
  const isListed = listedBy.length > 0;
  if (!isListed && years.length === 0)
    return [`${station}: no reports; no source lists this station, so none of its days count as done`];
  return years.map(({ missing, ...year }) => {
    const ranges = missing.slice(0, MAX_RANGES).map(({ from, to }) => `${from} to ${to}`);
    const more = missing.length > MAX_RANGES ? ` and ${missing.length - MAX_RANGES} more ranges` : '';
    const lacking = ranges.length > 0 ? `, missing ${ranges.join(', ')}${more}` : '';
    const done = isListed ? `${doneText(year, 'days')}${lacking}` : 'no source lists this station';
    return `${station} ${year.year}: ${done}, ${reportsText(year)}`;
  });
}

function doneText({ daysDue, daysDone }: Pick<YearStatus, 'daysDue' | 'daysDone'>, unit: string): string {
  return daysDue === 0 ? 'no day is due' : `${daysDone} of ${daysDue} ${unit} done`;
}

function reportsText(year: YearStatus): string {
  const bySource = Object.entries(year.reports).toSorted(([, a], [, b]) => b - a);
  if (bySource.length === 0) return 'no reports';
  const sources = bySource.map(([source, count]) => {
    const name = source === 'demo' ? 'demo, synthetic' : source;
    return bySource.length > 1 ? `${name} ${count}` : name;
  });
  return `${plural(reportsOfYear(year), 'report')} (${sources.join(', ')})`;
}

/** A line for the newest report, and one for each source that was loaded from. */
function freshnessLines({ newestReport, sources }: Status, now: Date): readonly string[] {
  const since = (time: string) =>
    `${time}, ${formatDuration(Math.max(0, (now.getTime() - Date.parse(time)) / 1000))} ago`;
  const lines = sources.map(({ source, lastLoad, lastFailure }) => {
    const loaded = lastLoad
      ? `last load ${since(lastLoad.endedAt)}, ${plural(lastLoad.newReports, 'new report')}`
      : 'nothing was loaded';
    return `${source}: ${loaded}${lastFailure ? `; last failure ${since(lastFailure.at)}: ${lastFailure.reason}` : ''}`;
  });
  return newestReport === undefined ? lines : [`newest report: ${since(newestReport)}`, ...lines];
}
