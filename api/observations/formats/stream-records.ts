import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Archive } from '../../../clickhouse/archive.ts';
import { readCoverage } from '../../../clickhouse/coverage/coverage.ts';
import type { CachedStates, CoverageStateCache } from '../../../clickhouse/coverage/state/state-cache.ts';
import { withStates } from '../../../clickhouse/coverage/state/with-states.ts';
import { ALL_STATIONS } from '../../../clickhouse/coverage/station-listings.ts';
import type { Position } from '../../../clickhouse/model/report.ts';
import type { Selection } from '../../../clickhouse/observations/selection.ts';
import { openRange } from '../../../clickhouse/observations/stream/open-range.ts';
import type { StreamFormat } from '../../../clickhouse/observations/stream/output-formats.ts';
import { streamReader } from '../../../clickhouse/observations/stream/stream.ts';
import { type StreamRange, streamRanges } from '../../../clickhouse/observations/stream/stream-range.ts';
import { addLogFields } from '../../http/request-log.ts';
import type { QueryClient } from '../../ops/query-limits.ts';
import { writeCursor } from '../../parameters/cursor.ts';
import type { Query } from '../../parameters/query.ts';
import { toPageQuery } from '../read-archive.ts';
import type { AnswerStream, StreamAnswer } from './answer-stream.ts';
import { refuseParts } from './refuse-parts.ts';

/** Answers a request with all its records in one stream (D33). */
export type StreamRecords = (
  ctx: Context,
  format: StreamFormat,
  query: Query<Selection>,
  after: Position | undefined,
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

  return async (ctx, format, query, after, client) => {
    const ranges = query.isWhole ? wholes : parts;
    const { request } = toPageQuery(query, after);
    const { stations } = request;
    addLogFields(ctx.req, { format, stations: stations.length });
    const cursorOf = ({ last }: StreamRange) => last && writeCursor(last, query);
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
