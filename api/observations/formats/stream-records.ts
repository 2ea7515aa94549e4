import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Archive } from '../../../clickhouse/archive.ts';
import { readCoverage } from '../../../clickhouse/coverage/coverage.ts';
import type { CachedStates, CoverageStateCache } from '../../../clickhouse/coverage/state/state-cache.ts';
import { withStates } from '../../../clickhouse/coverage/state/with-states.ts';
import { ALL_STATIONS } from '../../../clickhouse/coverage/station-listings.ts';
import type { PageRequest } from '../../../clickhouse/observations/page/page.ts';
import { openRange } from '../../../clickhouse/observations/stream/open-range.ts';
import type { StreamFormat } from '../../../clickhouse/observations/stream/output-formats.ts';
import { streamReader } from '../../../clickhouse/observations/stream/stream.ts';
import { type StreamRange, streamRanges } from '../../../clickhouse/observations/stream/stream-range.ts';
import { addLogFields } from '../../http/request-log.ts';
import type { QueryClient } from '../../ops/query-limits.ts';
import { writeCursor } from '../cursor.ts';
import type { Filters } from '../filters.ts';
import type { AnswerStream, StreamAnswer } from './answer-stream.ts';
import { refuseParts } from './refuse-parts.ts';

/** A request, and whether its answer must not be cut at `request.limit`. */
type WantedStream = { readonly filters: Filters; readonly request: PageRequest; readonly isWhole: boolean };

/** Answers a request with all its records in one stream (D33). */
export type StreamRecords = (
  ctx: Context,
  format: StreamFormat,
  wanted: WantedStream,
  client: QueryClient,
) => Promise<void>;

/**
 * The coverage is read before the records (D16), and the end of the range is fixed before the first byte: headers say both.
 *
 *     coverage -> engine, end of the range -> headers -> compression -> client
 *
 * Nothing is held but what is under way: the engine waits for the client.
 */
export function recordStreamer(
  archive: Archive,
  states: CoverageStateCache,
  answerStream: AnswerStream,
): StreamRecords {
  const parts = streamRanges(archive, states.recallStates);
  const wholes = refuseParts(parts);
  const openStream = streamReader(archive, states.recallStates);

  return async (ctx, format, { filters, request, isWhole }, client) => {
    const ranges = isWhole ? wholes : parts;
    const { stations } = filters;
    addLogFields(ctx.req, { format, stations: stations.length });
    const cursorOf = ({ last }: StreamRange) => last && writeCursor(last, filters);
    const answer: StreamAnswer = {
      stations,
      async readHead(signal) {
        const coverage = await readCoverage(archive, request, signal, states.readStates);
        return { coverage, nextCursor: cursorOf(await ranges.read(request, signal)) };
      },
      open(signal) {
        const openCovered = async (known: CachedStates) => {
          const coverage = await readCoverage(archive, request, signal, async () => known.states);
          const { range, bytes } = await openRange(ranges, openStream, request, format, signal);
          return { coverage, nextCursor: cursorOf(range), bytes };
        };
        const close = ({ bytes }: { readonly bytes: Readable }) => void bytes.destroy();
        return withStates(states, [...stations, ALL_STATIONS], openCovered, signal, close);
      },
    };
    await answerStream(ctx, format, answer, client);
  };
}
