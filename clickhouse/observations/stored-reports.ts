import type { ClickHouseClient } from '@clickhouse/client';
import { ALL_STATIONS } from '../coverage/station-listings.ts';
import type { Position, Source } from '../model/report.ts';
import { POINT_READ } from '../query-settings.ts';
import { readSqlFile } from '../sql-file.ts';

/** A report as the archive holds it now. */
export type StoredReport = Position & {
  readonly raw: string;
  readonly source: Source;
  /** See `version.ts`. */
  readonly version: number;
  /** The decoder that read it last, and whether it left nothing unexplained (D8). */
  readonly decoder: number;
  readonly clean: boolean;
};

export type StationWindow = {
  /** ICAO code, or `*` for every station. */
  readonly station: string;
  /** Seconds since 1970-01-01T00:00:00Z, `[from, to)`. */
  readonly from: number;
  readonly to: number;
};

type Row = Omit<StoredReport, 'fingerprint'> & { readonly fingerprint: string; readonly retracted: boolean };

const ARCHIVED = readSqlFile('stored_reports');

/** Every report that the archive holds of a stretch of time, each once, in no order. */
export async function readStoredReports(
  client: ClickHouseClient,
  stretch: StationWindow,
  signal: AbortSignal,
): Promise<readonly StoredReport[]> {
  const result = await client.query({
    query: ARCHIVED.replace(
      '$station',
      stretch.station === ALL_STATIONS ? 'true' : 'station = {station:String}',
    ),
    query_params: stretch,
    format: 'JSONEachRow',
    clickhouse_settings: POINT_READ,
    abort_signal: signal,
  });
  const newest = new Map<string, Row>();
  for await (const batch of result.stream<Row>())
    for (const item of batch) {
      const row = item.json();
      const key = `${row.station} ${row.observedAt} ${row.type} ${row.fingerprint}`;
      const known = newest.get(key);
      if (known === undefined || known.version < row.version) newest.set(key, row);
    }
  return [...newest.values()].flatMap(({ retracted, ...archived }) => (retracted ? [] : [archived]));
}
