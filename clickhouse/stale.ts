import type { ClickHouseClient } from '@clickhouse/client';
import { overLive, type Selection } from './live.ts';
import { readQuery } from './query.ts';
import type { Position, Source } from './report.ts';

/** A report as it stands, read by an older decoder. */
export type StaleReport = Position & {
  readonly raw: string;
  readonly source: Source;
  readonly version: number;
};

export type StaleCount = { readonly station: string; readonly reports: number };

const YEARS = readQuery('stale_years');
const COUNTS = readQuery('stale_counts');
const REPORTS = readQuery('stale_reports');

/**
 * Calendar years worth a look for reports that an older decoder read, the newest first: a quick answer from one small
 * column, which also names years whose older rows have been replaced and not merged away yet.
 */
export async function readStaleYears(
  client: ClickHouseClient,
  decoder: number,
  { from, to }: Omit<Selection, 'stations'>,
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
export async function countStale(
  client: ClickHouseClient,
  decoder: number,
  selection: Selection,
  signal: AbortSignal,
): Promise<readonly StaleCount[]> {
  const result = await client.query({
    query: overLive(COUNTS, selection),
    query_params: { decoder, ...selection },
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
    abort_signal: signal,
  });
  return result.json<StaleCount>();
}

/** The reports that an older decoder read last, as they arrive. */
export async function* readStale(
  client: ClickHouseClient,
  decoder: number,
  selection: Selection,
  signal: AbortSignal,
): AsyncGenerator<readonly StaleReport[]> {
  const result = await client.query({
    query: overLive(REPORTS, selection),
    query_params: { decoder, ...selection },
    format: 'JSONEachRow',
    abort_signal: signal,
  });
  for await (const batch of result.stream<StaleReport>()) yield batch.map((item) => item.json());
}
