import type { Archive } from '../archive.ts';
import { type Day, type DayRun, type DaySet, runsOfYear, unionOf } from '../model/day.ts';
import type { Source } from '../model/report.ts';
import { fromCurrentReports, type ReportSelection } from '../statements/current-reports.ts';
import { selectRow, selectRows, streamRows } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { REPORT_RUNS } from './state.ts';

const DAILY_COUNTS = readStatement('coverage/daily_counts');
const REPORT_COUNTS = readStatement('coverage/report_counts');
const REPORTING_DAYS = fillSql(readStatement('coverage/reporting_days'), { reportRuns: REPORT_RUNS });
const NEWEST_REPORT = readStatement('coverage/newest_report');
const REPORT_SOURCES = readStatement('coverage/report_sources');

export type DailyCounts = {
  readonly station: string;
  readonly days: readonly (readonly [day: Day, observations: number, nilReports: number])[];
};

export async function* readDailyCounts(
  archive: Archive,
  selection: ReportSelection,
): AsyncGenerator<DailyCounts> {
  const statement = fromCurrentReports(DAILY_COUNTS, selection);
  for await (const rows of streamRows<DailyCounts>(archive, statement)) yield* rows;
}

/** Current reports by the source of their text, not counting replaced or retracted versions or NIL reports. */
type ReportCount = { readonly station: string; readonly source: Source; readonly reports: number };

export async function readReportCounts(
  archive: Archive,
  selection: ReportSelection,
): Promise<readonly ReportCount[]> {
  return selectRows<ReportCount>(archive, fromCurrentReports(REPORT_COUNTS, selection));
}

type ReportingDays = {
  readonly station: string;
  readonly year: number;
  readonly runs: readonly (readonly [first: number, last: number])[];
};

/** By station: the days of these years with a report that is not NIL, by the coverage view; all stations if none is named. */
export async function readReportingDays(
  archive: Archive,
  stations: readonly string[],
  years: { readonly firstYear: number; readonly lastYear: number },
): Promise<ReadonlyMap<string, DaySet>> {
  const found = new Map<string, DayRun[]>();
  const statement = { query: REPORTING_DAYS, params: { stations, ...years } };
  for await (const rows of streamRows<ReportingDays>(archive, statement))
    for (const { station, year, runs } of rows) {
      found.set(station, [...(found.get(station) ?? []), ...runsOfYear(year, runs)]);
    }
  return new Map([...found].map(([station, days]) => [station, unionOf(days)]));
}

/** In seconds since 1970-01-01T00:00:00Z; `undefined` if the archive has no report but NIL ones. */
export async function readNewestReport(archive: Archive, now: Date): Promise<number | undefined> {
  const statement = { query: NEWEST_REPORT, params: { until: Math.floor(now.getTime() / 1000) } };
  return (await selectRow<{ newest: number | null }>(archive, statement)).newest || undefined;
}

export async function readReportSources(archive: Archive): Promise<readonly Source[]> {
  const rows = await selectRows<{ source: Source }>(archive, { query: REPORT_SOURCES });
  return rows.map(({ source }) => source);
}
