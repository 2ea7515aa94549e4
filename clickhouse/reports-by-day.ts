import type { ClickHouseClient } from '@clickhouse/client';
import type { Day } from './day.ts';
import { overLive, type Selection } from './live.ts';
import { readQuery } from './query.ts';
import type { Source } from './report.ts';

const DAILY_REPORTS = readQuery('daily_reports');
const SHORT_SLICES = readQuery('short_slices');

/** Reports that stand, by UTC day; a day without any is not in the list. */
export type DailyReports = { readonly station: string; readonly days: readonly (readonly [Day, number])[] };

/** Station by station, as they arrive. */
export async function* readDailyReports(
  client: ClickHouseClient,
  selection: Selection,
  signal: AbortSignal,
): AsyncGenerator<DailyReports> {
  const result = await client.query({
    query: overLive(DAILY_REPORTS, selection),
    query_params: selection,
    format: 'JSONEachRow',
    abort_signal: signal,
  });
  for await (const batch of result.stream<DailyReports>()) for (const item of batch) yield item.json();
}

/** A slice that is done by the ledger, though the archive does not hold what the source had. */
export type ShortSlice = {
  readonly source: Source;
  /** ICAO code, or `*` for every station. */
  readonly station: string;
  readonly firstDay: Day;
  readonly endDay: Day;
  readonly had: number;
  readonly holds: number;
};

/** @param selection one calendar year: slices end at the New Year */
export async function readShortSlices(
  client: ClickHouseClient,
  selection: Selection,
  signal: AbortSignal,
): Promise<readonly ShortSlice[]> {
  const result = await client.query({
    query: overLive(SHORT_SLICES, selection),
    query_params: selection,
    format: 'JSONEachRow',
    abort_signal: signal,
  });
  return result.json<ShortSlice>();
}
