import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Archive } from '../../../clickhouse/archive.ts';
import { readCoverage } from '../../../clickhouse/coverage/coverage.ts';
import {
  type CachedStates,
  type CoverageStateCache,
  withStates,
} from '../../../clickhouse/coverage/state-cache.ts';
import { ALL_STATIONS } from '../../../clickhouse/coverage/station-listings.ts';
import type { Position } from '../../../clickhouse/model/report.ts';
import type { Selection } from '../../../clickhouse/observations/selection.ts';
import type { StreamFormat } from '../../../clickhouse/observations/stream/output-formats.ts';
import { openRange } from '../../../clickhouse/observations/stream/stream.ts';
import { fixRange, type StreamRange } from '../../../clickhouse/observations/stream/stream-range.ts';
import { addLogFields } from '../../http/request-log.ts';
import type { ArchiveQueries } from '../../ops/query-limits.ts';
import type { QueuedRequest } from '../../ops/request-queue.ts';
import { writeCursor } from '../../parameters/cursor.ts';
import type { Query } from '../../parameters/query.ts';
import { toPageQuery } from '../read-archive.ts';
import { answerStream, type StreamAnswer } from './answer-stream.ts';
import { toCutProblem } from './cut-problem.ts';

/** What streams and pages are read with. */
export type StreamResources = {
  readonly archive: Archive;
  readonly states: CoverageStateCache;
  readonly queries: ArchiveQueries;
};

/**
 * Answers a request with all its records in one stream. The coverage is read before the records (D16), and the range's
 * end is fixed before the first byte: headers give both.
 *
 *     coverage -> engine, end of the range -> headers -> compression -> client
 *
 * Only data in transit is in memory: the engine waits for the client.
 */
export async function streamRecords(
  ctx: Context,
  format: StreamFormat,
  query: Query<Selection>,
  after: Position | undefined,
  client: QueuedRequest,
  { archive, states, queries }: StreamResources,
): Promise<void> {
  const { isWhole } = query;
  const { request } = toPageQuery(query, after);
  const { stations, limit } = request;
  addLogFields(ctx.req, { format, stations: stations.length });
  const all = [...stations, ALL_STATIONS];
  const cursorOf = ({ last }: StreamRange) => last && writeCursor(last, query);
  const answer: StreamAnswer = {
    stations,
    async readHead(signal) {
      const known = (await states.read(all, signal)).states;
      const coverage = await readCoverage(archive, request, signal, known);
      const range = await fixRange(archive, request, isWhole, known, signal).catch((error) => {
        throw toCutProblem(error, limit);
      });
      return { coverage, nextCursor: cursorOf(range) };
    },
    open(signal) {
      const openCovered = async ({ states: known }: CachedStates) => {
        const coverage = await readCoverage(archive, request, signal, known);
        const { range, bytes } = await openRange(archive, request, isWhole, known, format, signal);
        return { coverage, nextCursor: cursorOf(range), bytes };
      };
      const close = ({ bytes }: { readonly bytes: Readable }) => void bytes.destroy();
      return withStates(states, all, openCovered, signal, close).catch((error) => {
        throw toCutProblem(error, limit);
      });
    },
  };
  await answerStream(ctx, format, answer, client, queries);
}
