import type { ClickHouseClient } from '@clickhouse/client';
import type { ReportType, Source } from '../model/report.ts';
import { readSqlFile } from '../sql-file.ts';

/** How many reports a station holds at one minute of the hour, under one type. */
export type MinuteCount = {
  readonly station: string;
  readonly minute: number;
  readonly type: ReportType;
  /** Whether the source sent the type; else it was inferred. */
  readonly sent: boolean;
  readonly reports: number;
};

const MINUTES = readSqlFile('minute_histogram');

/**
 * The minutes of every station, for a stretch of seconds `[from, to)`; a year of the world is read as it stands.
 *
 * @param typedSources sources whose types are never a guess, even where the text has no keyword
 */
export async function* readMinuteHistogram(
  client: ClickHouseClient,
  asked: { readonly from: number; readonly to: number; readonly typedSources: readonly Source[] },
  signal: AbortSignal,
): AsyncGenerator<MinuteCount> {
  const result = await client.query({
    query: MINUTES,
    query_params: asked,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
    abort_signal: signal,
  });
  for await (const batch of result.stream<MinuteCount>()) for (const item of batch) yield item.json();
}
