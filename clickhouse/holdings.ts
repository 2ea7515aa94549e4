import type { ClickHouseClient } from '@clickhouse/client';
import { readQuery } from './query.ts';
import type { Source } from './report.ts';

/** What one source has brought of one station's calendar year. */
export type Holding = {
  /** ICAO code, or `*` for what was loaded over all stations at once. */
  readonly station: string;
  readonly source: Source;
  readonly year: number;
  readonly daysDone: number;
  /** Hours of the year that hold a report. */
  readonly hoursSeen: number;
};

const HOLDINGS = readQuery('holdings');

/** By station, year and source. */
export async function readHoldings(
  client: ClickHouseClient,
  signal: AbortSignal,
): Promise<readonly Holding[]> {
  const result = await client.query({
    query: HOLDINGS,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
    abort_signal: signal,
  });
  return result.json<Holding>();
}
