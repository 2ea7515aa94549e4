import type { ClickHouseClient } from '@clickhouse/client';
import type { Day } from '../model/day.ts';
import type { Source } from '../model/report.ts';
import { fromCurrentReports, type ReportSelection } from '../observations/current-reports.ts';
import { readSqlFile } from '../sql-file.ts';

const DAILY_REPORTS = readSqlFile('daily_counts');
const SHORT_SLICES = readSqlFile('incomplete_slices');

/** Reports that stand, by UTC day; a day without any is not in the list. */
export type DailyCounts = { readonly station: string; readonly days: readonly (readonly [Day, number])[] };

/** Station by station, as they arrive. */
export async function* readDailyCounts(
  client: ClickHouseClient,
  selection: ReportSelection,
  signal: AbortSignal,
): AsyncGenerator<DailyCounts> {
  const result = await client.query({
    query: fromCurrentReports(DAILY_REPORTS, selection),
    query_params: selection,
    format: 'JSONEachRow',
    abort_signal: signal,
  });
  for await (const batch of result.stream<DailyCounts>()) for (const item of batch) yield item.json();
}

/** A slice that is done by the ledger, though the archive does not hold what the source had. */
export type IncompleteSlice = {
  readonly source: Source;
  /** ICAO code, or `*` for every station. */
  readonly station: string;
  readonly firstDay: Day;
  readonly endDay: Day;
  readonly had: number;
  readonly holds: number;
};

/** @param selection one calendar year: slices end at the New Year */
export async function readIncompleteSlices(
  client: ClickHouseClient,
  selection: ReportSelection,
  signal: AbortSignal,
): Promise<readonly IncompleteSlice[]> {
  const result = await client.query({
    query: fromCurrentReports(SHORT_SLICES, selection),
    query_params: selection,
    format: 'JSONEachRow',
    abort_signal: signal,
  });
  return result.json<IncompleteSlice>();
}
