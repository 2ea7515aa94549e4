import type { ClickHouseClient } from '@clickhouse/client';
import type { Day } from '../model/day.ts';
import type { Source } from '../model/report.ts';
import { readSqlFile } from '../sql-file.ts';

/** A stretch of days that the ledger calls done. */
export type DoneSlice = {
  readonly source: Source;
  /** ICAO code, or `*` for every station. */
  readonly station: string;
  readonly firstDay: Day;
  readonly endDay: Day;
};

const SAMPLE_SLICES = readSqlFile('sample_slices');

/** Some slices that are done, other ones each time. */
export async function sampleSlices(
  client: ClickHouseClient,
  asked: {
    readonly sample: number;
    readonly sources: readonly Source[];
    /** None for every station. */
    readonly stations: readonly string[];
    readonly firstDay: Day;
    readonly endDay: Day;
  },
  signal: AbortSignal,
): Promise<readonly DoneSlice[]> {
  const result = await client.query({
    query: SAMPLE_SLICES,
    query_params: asked,
    format: 'JSONEachRow',
    abort_signal: signal,
  });
  return result.json<DoneSlice>();
}
