import type { Archive } from '../archive.ts';
import type { Source } from '../model/report.ts';
import { fromCurrentReports, type ReportSelection } from '../statements/current-reports.ts';
import { namedStatement, selectRow, selectRows, streamRows } from '../statements/select.ts';
import { readStatement } from '../statements/sql.ts';

const DAILY_COUNTS = readStatement('coverage/daily_counts');
const REPORT_COUNTS = readStatement('coverage/report_counts');

export type DailyCounts = {
  readonly station: string;
  readonly days: readonly (readonly [day: number, observations: number, nilReports: number])[];
};

/** The number of reports, including NIL reports, by day number. */
export type StoredByDay = ReadonlyMap<number, number>;

export function storedByDay({ days }: Pick<DailyCounts, 'days'>): StoredByDay {
  return new Map(days.map(([day, observations, nil]) => [day, observations + nil]));
}

export async function* readDailyCounts(archive: Archive, selection: ReportSelection) {
  const statement = fromCurrentReports(DAILY_COUNTS, selection);
  for await (const rows of streamRows<DailyCounts>(archive, statement)) yield* rows;
}

/** Current reports by the source of their text, not counting replaced or retracted versions or NIL reports. */
type ReportCount = { readonly station: string; readonly source: Source; readonly reports: number };

export async function readReportCounts(archive: Archive, selection: ReportSelection) {
  return selectRows<ReportCount>(archive, fromCurrentReports(REPORT_COUNTS, selection));
}

/** In seconds since 1970-01-01T00:00:00Z; `undefined` if the archive has no report but NIL ones. */
export async function readNewestReport(archive: Archive, now: Date): Promise<number | undefined> {
  const statement = namedStatement('coverage/newest_report', { until: Math.floor(now.getTime() / 1000) });
  return (await selectRow<{ newest: number | null }>(archive, statement)).newest || undefined;
}

export async function readReportSources(archive: Archive): Promise<readonly Source[]> {
  const rows = await selectRows<{ source: Source }>(archive, namedStatement('coverage/report_sources'));
  return rows.map(({ source }) => source);
}
