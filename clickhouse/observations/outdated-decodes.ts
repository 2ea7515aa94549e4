import type { ClickHouseClient } from '@clickhouse/client';
import type { Position, Source } from '../model/report.ts';
import { readSqlFile } from '../sql-file.ts';
import { fromCurrentReports, type ReportSelection } from './current-reports.ts';

/** A report as it stands, read by an older decoder. */
export type OutdatedReport = Position & {
  readonly raw: string;
  readonly source: Source;
  readonly version: number;
};

export type OutdatedCount = { readonly station: string; readonly reports: number };

const YEARS = readSqlFile('outdated_years');
const COUNTS = readSqlFile('outdated_counts');
const REPORTS = readSqlFile('outdated_reports');

/**
 * Calendar years worth a look for reports that an older decoder read, the newest first: a quick answer from one small
 * column, which also names years whose older rows have been replaced and not merged away yet.
 */
export async function readOutdatedYears(
  client: ClickHouseClient,
  decoder: number,
  { from, to }: Omit<ReportSelection, 'stations'>,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const result = await client.query({
    query: YEARS,
    query_params: { decoder, from, to },
    format: 'JSONEachRow',
    abort_signal: signal,
  });
  return (await result.json<{ year: number }>()).map(({ year }) => year);
}

/** How many reports of each station an older decoder read last, in the order of the stations. */
export async function countOutdatedDecodes(
  client: ClickHouseClient,
  decoder: number,
  selection: ReportSelection,
  signal: AbortSignal,
): Promise<readonly OutdatedCount[]> {
  const result = await client.query({
    query: fromCurrentReports(COUNTS, selection),
    query_params: { decoder, ...selection },
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
    abort_signal: signal,
  });
  return result.json<OutdatedCount>();
}

/** The reports that an older decoder read last, as they arrive. */
export async function* readOutdatedDecodes(
  client: ClickHouseClient,
  decoder: number,
  selection: ReportSelection,
  signal: AbortSignal,
): AsyncGenerator<readonly OutdatedReport[]> {
  const result = await client.query({
    query: fromCurrentReports(REPORTS, selection),
    query_params: { decoder, ...selection },
    format: 'JSONEachRow',
    abort_signal: signal,
  });
  for await (const batch of result.stream<OutdatedReport>()) yield batch.map((item) => item.json());
}
