import { availableParallelism } from 'node:os';
import type { Archive } from '../../clickhouse/archive.ts';
import type { CoverageStateCache } from '../../clickhouse/coverage/state/state-cache.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import type { AnswerFormat } from '../../clickhouse/statistics/answer-columns.ts';
import type { Clock, Question } from '../../clickhouse/statistics/question.ts';
import { readStatistics, TooManyRowsError } from '../../clickhouse/statistics/read-statistics.ts';
import { digestParts } from '../http/response/envelope.ts';
import type { CachedCoverage } from '../observations/cached-coverage.ts';
import type { AnswerText, CoverageText, PageCache } from '../observations/page-cache.ts';
import type { QueryClient, QueryRunners } from '../ops/query-limits.ts';
import { estimateBytes } from './answer-size.ts';
import { countStationYears, requireFewRows, requireFewStationYears, tooManyRows } from './bounds.ts';
import { readClocks } from './clocks.ts';
import { questionKey } from './question-key.ts';
import type { StatisticsQuery } from './request/query-params.ts';

/** From so many station-years on, a question takes some 0.1 s and waits among the streams, not among the pages. */
const LARGE_STATION_YEARS = 25;

/** The coverage of a station, its position and its clock. */
const STATION_BYTES = 1024;

/** A question whose work and coverage are known, so that its query may run. */
type Prepared = {
  readonly question: Question;
  readonly clocks: readonly Clock[];
  readonly coverage: CoverageText;
  readonly stationYears: number;
};

export type StatisticsReader = {
  /** The elements of `data`. */
  readJson(
    query: StatisticsQuery,
    client: QueryClient,
  ): Promise<{ data: AnswerText; coverage: CoverageText }>;
  /** The whole body. */
  readBody(
    query: StatisticsQuery,
    format: Exclude<AnswerFormat, 'json'>,
    client: QueryClient,
  ): Promise<{ body: Buffer; coverage: CoverageText }>;
};

/**
 * Reads the answer to a question: coverage and work first, which decide whether its query may run, then the rows (D16).
 */
export function statisticsReader(
  archive: Archive,
  states: CoverageStateCache,
  { runQuery, runStream }: Pick<QueryRunners, 'runQuery' | 'runStream'>,
  coverages: CachedCoverage,
  cache: PageCache,
): StatisticsReader {
  async function prepare({ question, timeZone }: StatisticsQuery, client: QueryClient): Promise<Prepared> {
    requireFewRows(question); // 400
    const { stations } = question;
    const prepared = await runQuery(
      async (signal) => ({
        question,
        clocks: await readClocks(archive, stations, timeZone, signal), // 400
        stationYears: countStationYears(question, await states.readStates(stations, signal)),
        coverage: await coverages.read(
          question,
          await states.read([...stations, ALL_STATIONS], signal),
          signal,
        ),
      }),
      client,
      stations.length * STATION_BYTES,
    );
    requireFewStationYears(question, prepared.stationYears); // 400
    return prepared;
  }

  async function read(
    { question, clocks, stationYears }: Prepared,
    format: AnswerFormat,
    client: QueryClient,
  ): Promise<Buffer> {
    const isLarge = stationYears > LARGE_STATION_YEARS;
    // A large question leaves a processor to pages.
    const threads = isLarge ? Math.max(1, availableParallelism() - 1) : 1;
    const work = (signal: AbortSignal) =>
      readStatistics(archive, question, clocks, { format, threads }, signal);
    const bytes = estimateBytes(question);
    try {
      if (!isLarge) return await runQuery(work, client, bytes);
      await client.memory.reserve(bytes, client.disconnected);
      let answer: Buffer = Buffer.alloc(0);
      const keep = async (read: Buffer) => {
        answer = read;
      };
      await runStream(work, keep, client);
      return answer;
    } catch (error) {
      throw error instanceof TooManyRowsError ? tooManyRows() : error;
    }
  }

  return {
    async readJson(query, client) {
      const prepared = await prepare(query, client);
      const { coverage } = prepared;
      const key = questionKey(query.question, prepared.clocks);
      const known = cache.answer(key, coverage.readAt);
      if (known !== undefined) return { data: known, coverage };
      const readFrom = states.clock.now;
      const data = { ...toElements(await read(prepared, 'json', client)), readFrom };
      cache.addAnswer(key, data);
      return { data, coverage };
    },
    async readBody(query, format, client) {
      const prepared = await prepare(query, client);
      return { body: await read(prepared, format, client), coverage: prepared.coverage };
    },
  };
}

/** Lines as the elements of an array, in memory of their own, which a pool of small buffers is not. */
function toElements(lines: Buffer) {
  const bytes = Buffer.allocUnsafeSlow(Math.max(0, lines.length - 1));
  lines.copy(bytes, 0, 0, bytes.length);
  // JSON text has no line breaks inside.
  for (let at = bytes.indexOf('\n'); at >= 0; at = bytes.indexOf('\n', at + 1)) bytes.write(',', at);
  const digest = digestParts([bytes]);
  return { parts: () => (bytes.length === 0 ? [] : [bytes]), digest: () => digest, size: bytes.length };
}
