import { availableParallelism } from 'node:os';
import type { Archive } from '../../clickhouse/archive.ts';
import {
  type CachedStates,
  type CoverageStateCache,
  withStates,
} from '../../clickhouse/coverage/state/state-cache.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import type { AnswerFormat } from '../../clickhouse/statistics/answer-columns.ts';
import type { Clock, Question } from '../../clickhouse/statistics/question.ts';
import { readStatistics, TooManyRowsError } from '../../clickhouse/statistics/read-statistics.ts';
import { digestParts } from '../http/response/envelope.ts';
import type { CachedCoverage } from '../observations/cached-coverage.ts';
import type { AnswerText, CoverageText, PageCache } from '../observations/page-cache.ts';
import type { QueryRunners } from '../ops/query-limits.ts';
import type { QueuedRequest } from '../ops/request-queue.ts';
import type { StatisticsRequest } from '../parameters/table.ts';
import type { TimeZone } from '../parameters/time-zones.ts';
import { estimateBytes } from './answer-size.ts';
import { countStationYears, requireFewRows, requireFewStationYears, tooManyRows } from './bounds.ts';
import { readClocks } from './clocks.ts';
import { questionKey } from './question-key.ts';

/** Questions over this many station-years take about 0.1 s, so they queue with the streams. */
const LARGE_STATION_YEARS = 25;

/** As numbers: to find and to write each of 12,000 lines as text takes 3 ms in place of 0.2. */
const LINE_FEED = 10;
const COMMA = 44;

/** The coverage of a station, its position and its clock. */
const STATION_BYTES = 1024;

/** What a request asks, and whose clock it means. */
export type StatisticsQuery = { readonly question: Question; readonly timeZone: TimeZone };

export function toStatisticsQuery({
  timeZone,
  tz: _,
  expanded: __,
  ...asked
}: StatisticsRequest): StatisticsQuery {
  return { question: { groups: [], ...asked }, timeZone };
}

/** A question whose work and coverage are known, so that its query may run. */
type Prepared = {
  readonly question: Question;
  readonly clocks: readonly Clock[];
  readonly coverage: CoverageText;
  readonly stationYears: number;
};

/** Does work when it is this client's turn. `threads`: how many its statement may use at most. */
type RunWork = (work: (signal: AbortSignal, threads: number) => Promise<Buffer>) => Promise<Buffer>;

export type StatisticsReader = {
  /** The elements of `data`. */
  readJson(
    query: StatisticsQuery,
    client: QueuedRequest,
  ): Promise<{ data: AnswerText; coverage: CoverageText }>;
  /** The whole body. */
  readBody(
    query: StatisticsQuery,
    format: Exclude<AnswerFormat, 'json'>,
    client: QueuedRequest,
  ): Promise<{ body: Buffer; coverage: CoverageText }>;
};

/**
 * Reads the answer to a question: coverage and work first, which decide whether its query may run, then the rows (D16).
 */
export function statisticsReader(
  archive: Archive,
  states: CoverageStateCache,
  { runQuery }: Pick<QueryRunners, 'runQuery'>,
  coverages: CachedCoverage,
  cache: PageCache,
): StatisticsReader {
  async function prepare(
    { question, timeZone }: StatisticsQuery,
    known: CachedStates,
    signal: AbortSignal,
  ): Promise<Prepared> {
    const stationYears = countStationYears(question, known.states);
    requireFewStationYears(question, stationYears); // 400
    return {
      question,
      clocks: await readClocks(archive, question, timeZone, signal), // 400
      coverage: await coverages.read(question, known, signal),
      stationYears,
    };
  }

  /** @param make reads rows by `run`, after the coverage */
  async function answer<T>(
    query: StatisticsQuery,
    client: QueuedRequest,
    make: (prepared: Prepared, run: RunWork) => Promise<T>,
  ): Promise<T> {
    const { question } = query;
    requireFewRows(question); // 400
    const stations = [...question.stations, ALL_STATIONS];
    const bytes = estimateBytes(question);
    const recalled = states.recall(stations);
    if (recalled !== undefined && countStationYears(question, recalled.states) <= LARGE_STATION_YEARS)
      // Its rows are read while changes are asked for.
      return runQuery(
        (signal) => {
          const readCovered = async (known: CachedStates) =>
            make(await prepare(query, known, signal), (work) => work(signal, 1));
          return withStates(states, stations, readCovered, signal);
        },
        client,
        bytes,
      );
    const prepared = await runQuery(
      async (signal) => prepare(query, await states.read(stations, signal), signal),
      client,
      stations.length * STATION_BYTES,
    );
    return make(prepared, async (work) => {
      if (prepared.stationYears <= LARGE_STATION_YEARS)
        return runQuery((signal) => work(signal, 1), client, bytes);
      // A large question leaves a processor to pages.
      const threads = Math.max(1, availableParallelism() - 1);
      return runQuery((signal) => work(signal, threads), client, bytes, 'stream');
    });
  }

  async function readRows(
    { question, clocks }: Prepared,
    format: AnswerFormat,
    run: RunWork,
  ): Promise<Buffer> {
    try {
      return await run((signal, threads) =>
        readStatistics(archive, question, clocks, { format, threads }, signal),
      );
    } catch (error) {
      throw error instanceof TooManyRowsError ? tooManyRows() : error;
    }
  }

  return {
    readJson: (query, client) =>
      answer(query, client, async (prepared, run) => {
        const { coverage } = prepared;
        const key = questionKey(query.question, prepared.clocks);
        const known = cache.answer(key, coverage.readAt);
        if (known !== undefined) return { data: known, coverage };
        const readFrom = states.clock.now;
        const data = { ...toElements(await readRows(prepared, 'json', run)), readFrom };
        cache.addAnswer(key, data);
        return { data, coverage };
      }),
    readBody: (query, format, client) =>
      answer(query, client, async (prepared, run) => ({
        body: await readRows(prepared, format, run),
        coverage: prepared.coverage,
      })),
  };
}

/** Lines as the elements of an array, in memory of their own, which a pool of small buffers is not. */
function toElements(lines: Buffer) {
  const bytes = Buffer.allocUnsafeSlow(Math.max(0, lines.length - 1));
  lines.copy(bytes, 0, 0, bytes.length);
  // JSON text has no line breaks inside.
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) bytes[at] = COMMA;
  const digest = digestParts([bytes]);
  return { parts: () => (bytes.length === 0 ? [] : [bytes]), digest: () => digest, size: bytes.length };
}
