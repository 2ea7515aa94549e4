import type { Context } from 'koa';
import { readCoverage } from '../../clickhouse/coverage/coverage.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import type { HourlyRequest } from '../../clickhouse/hourly/hourly-statement.ts';
import { nextOfStream, openHourly } from '../../clickhouse/hourly/read-hourly.ts';
import type { StreamFormat } from '../../clickhouse/observations/stream/output-formats.ts';
import { answerStream, type StreamAnswer } from '../observations/formats/answer-stream.ts';
import { wouldBeCut } from '../observations/formats/cut-problem.ts';
import type { StreamResources } from '../observations/formats/stream-records.ts';
import type { QueuedRequest } from '../ops/request-queue.ts';
import { writeCursor } from '../parameters/cursor.ts';
import type { Query } from '../parameters/query.ts';

/** Answers with all rows in one stream. The coverage is read before the rows. */
export async function streamHourly(
  ctx: Context,
  format: StreamFormat,
  query: Query<unknown>,
  request: HourlyRequest,
  client: QueuedRequest,
  { archive, states, queries }: StreamResources,
): Promise<void> {
  const next = nextOfStream(request);
  if (query.isWhole && next !== undefined)
    throw wouldBeCut(
      `one response holds at most ${request.limit.toLocaleString('en')} hours of all stations together`,
    );
  const readHead = async (signal: AbortSignal) => {
    const known = await states.read([...request.stations, ALL_STATIONS], signal);
    const coverage = await readCoverage(archive, request, signal, known.states);
    return { coverage, nextCursor: next && writeCursor(next, query) };
  };
  const answer: StreamAnswer = {
    stations: request.stations,
    readHead,
    open: async (signal) => ({
      ...(await readHead(signal)),
      bytes: await openHourly(archive, request, format, signal),
    }),
  };
  await answerStream(ctx, format, answer, client, queries);
}
