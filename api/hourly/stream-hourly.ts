import type { Context } from 'koa';
import type { Archive } from '../../clickhouse/archive.ts';
import { type Coverage, readCoverage } from '../../clickhouse/coverage/coverage.ts';
import type { CoverageStateReader } from '../../clickhouse/coverage/state/state.ts';
import type { HourlyRequest } from '../../clickhouse/hourly/hourly-statement.ts';
import { nextOfStream, openHourly } from '../../clickhouse/hourly/read-hourly.ts';
import type { StreamFormat } from '../../clickhouse/observations/stream/output-formats.ts';
import { invalidParameters } from '../http/request/query-string.ts';
import { sendStream } from '../observations/formats/send-stream.ts';
import { setEncoding } from '../observations/formats/stream-encoding.ts';
import { setStreamHeaders } from '../observations/formats/stream-headers.ts';
import type { QueryClient, RunQuery, RunStream } from '../ops/query-limits.ts';
import { writeHourlyCursor } from './cursor.ts';
import type { HourlyFilters } from './query-params.ts';

export type StreamHourly = (
  ctx: Context,
  format: StreamFormat,
  wanted: { readonly filters: HourlyFilters; readonly request: HourlyRequest; readonly isWhole: boolean },
  client: QueryClient,
) => Promise<void>;

/** The coverage of a station, while it is made. */
const STATION_BYTES = 512;
const TIMEOUTS = { clientMs: 30_000, storageMs: 60_000 };

/** Answers with all rows in one stream (D33). The coverage is read before the rows (D16). */
export function hourlyStreamer(
  archive: Archive,
  readState: CoverageStateReader,
  runQuery: RunQuery,
  runStream: RunStream,
): StreamHourly {
  return async (ctx, format, { filters, request, isWhole }, client) => {
    const next = nextOfStream(request);
    if (isWhole && next !== undefined) throw wouldBeCut(request);
    const setHeaders = ({ status }: Coverage) => {
      setStreamHeaders(ctx, format, status, next && writeHourlyCursor(next, filters));
      return format === 'csv' || format === 'ndjson' ? setEncoding(ctx) : undefined;
    };
    const readCovered = (signal: AbortSignal) => readCoverage(archive, request, signal, readState);
    if (ctx.method === 'HEAD') {
      setHeaders(await runQuery(readCovered, client, request.stations.length * STATION_BYTES));
      return;
    }
    await runStream(
      async (signal) => {
        const coverage = await readCovered(signal);
        return { coverage, bytes: await openHourly(archive, request, format, signal) };
      },
      ({ coverage, bytes }) => sendStream(ctx, bytes, setHeaders(coverage), TIMEOUTS),
      client,
    );
  };
}

function wouldBeCut({ limit }: HourlyRequest) {
  const detail = `must be given: one response holds at most ${limit.toLocaleString('en')} hours of all stations together. Set it and continue with X-Next-Cursor, or ask for fewer stations or a shorter range`;
  return invalidParameters([{ name: 'limit', detail }]);
}
