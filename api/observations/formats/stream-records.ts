import type { Context } from 'koa';
import type { Archive } from '../../../clickhouse/archive.ts';
import { type Coverage, readCoverage } from '../../../clickhouse/coverage/coverage.ts';
import type { CoverageStateReader } from '../../../clickhouse/coverage/state/state.ts';
import type { PageRequest } from '../../../clickhouse/observations/page/page.ts';
import { openRange } from '../../../clickhouse/observations/stream/open-range.ts';
import type { StreamFormat } from '../../../clickhouse/observations/stream/output-formats.ts';
import { streamReader } from '../../../clickhouse/observations/stream/stream.ts';
import { type StreamRange, streamRanges } from '../../../clickhouse/observations/stream/stream-range.ts';
import { addLogFields } from '../../http/request-log.ts';
import type { QueryClient, RunQuery, RunStream } from '../../ops/query-limits.ts';
import { writeCursor } from '../cursor.ts';
import type { Filters } from '../filters.ts';
import { refuseParts } from './refuse-parts.ts';
import { sendStream } from './send-stream.ts';
import { setEncoding } from './stream-encoding.ts';
import { setStreamHeaders } from './stream-headers.ts';
import type { StreamTimeouts } from './watch-stream.ts';

/** A request, and whether its answer must not be cut at `request.limit`. */
type WantedStream = { readonly filters: Filters; readonly request: PageRequest; readonly isWhole: boolean };

/** Answers a request with all its records in one stream (D33). */
export type StreamRecords = (
  ctx: Context,
  format: StreamFormat,
  wanted: WantedStream,
  client: QueryClient,
) => Promise<void>;

const IS_TEXT: Readonly<Record<StreamFormat, boolean>> = {
  ndjson: true,
  csv: true,
  parquet: false,
  arrow: false,
};

/** The coverage of a station, while it is made. */
const STATION_BYTES = 512;

const TIMEOUTS: StreamTimeouts = { clientMs: 30_000, storageMs: 60_000 };

/**
 * The coverage is read before the records (D16), and the end of the range is fixed before the first byte, because headers
 * say both:
 *
 *     coverage -> engine, end of the range -> headers -> compression -> client
 *
 * Nothing is held but what is under way: the engine waits for the client.
 */
export function recordStreamer(
  archive: Archive,
  readState: CoverageStateReader,
  runQuery: RunQuery,
  runStream: RunStream,
): StreamRecords {
  const parts = streamRanges(archive, readState);
  const wholes = refuseParts(parts);
  const openStream = streamReader(archive, readState);

  return async (ctx, format, { filters, request, isWhole }, client) => {
    const ranges = isWhole ? wholes : parts;
    addLogFields(ctx.req, { format, stations: filters.stations.length });
    const setHeaders = (coverage: Coverage, range: StreamRange) => {
      setStreamHeaders(ctx, format, coverage.status, range.last && writeCursor(range.last, filters));
      return IS_TEXT[format] ? setEncoding(ctx) : undefined;
    };
    if (ctx.method === 'HEAD') {
      await runQuery(
        async (signal) => {
          const coverage = await readCoverage(archive, request, signal, readState);
          setHeaders(coverage, await ranges.read(request, signal));
        },
        client,
        request.stations.length * STATION_BYTES,
      );
      return;
    }
    await runStream(
      async (signal) => {
        const coverage = await readCoverage(archive, request, signal, readState);
        return { coverage, ...(await openRange(ranges, openStream, request, format, signal)) };
      },
      ({ coverage, range, bytes }) => sendStream(ctx, bytes, setHeaders(coverage, range), TIMEOUTS),
      client,
    );
  };
}
