import { availableParallelism } from 'node:os';
import type { Archive } from '../../clickhouse/archive.ts';
import {
  type CachedStates,
  type CoverageStateCache,
  withStates,
} from '../../clickhouse/coverage/state-cache.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import type { Clock, Question } from '../../clickhouse/statistics/question.ts';
import { readStatistics, TooManyRowsError } from '../../clickhouse/statistics/read-statistics.ts';
import type { AnswerFormat } from '../../clickhouse/statistics/statistics-statement.ts';
import { digestParts } from '../http/response/envelope.ts';
import { CachedCoverage } from '../observations/cached-coverage.ts';
import type { AnswerText, CoverageText, PageCache } from '../observations/page-cache.ts';
import type { ArchiveQueries } from '../ops/query-limits.ts';
import type { QueuedRequest } from '../ops/request-queue.ts';
import type { StatisticsRequest } from '../parameters/table.ts';
import type { TimeZone } from '../parameters/time-zones.ts';
import { estimateBytes } from './answer-size.ts';
import { countStationYears, requireFewRows, requireFewStationYears, tooManyRows } from './bounds.ts';
import { readClocks } from './clocks.ts';
import { questionKey } from './question-key.ts';

/** Questions over this many station-years take about 0.1 s, so they queue with the streams. */
const LARGE_STATION_YEARS = 25;

/** As a byte: finding and writing each of 12,000 lines as text takes 3 ms instead of 0.2. */
const LINE_FEED = 10;
const COMMA = 44;

/** Memory of a station: its coverage, position and clock. */
const STATION_BYTES = 1024;

/** A request's question, and whose clock it means. */
export type StatisticsQuery = { readonly question: Question; readonly timeZone: TimeZone };

export function toStatisticsQuery({
  timeZone,
  tz: _,
  expanded: __,
  ...asked
}: StatisticsRequest): StatisticsQuery {
  return { question: { groups: [], ...asked }, timeZone };
}

/** A question whose work and coverage are known, so its query may run. */
type Prepared = {
  readonly question: Question;
  readonly clocks: readonly Clock[];
  readonly coverage: CoverageText;
  readonly stationYears: number;
};

/** Does work when it is this client's turn. `threads`: the most that its statement may use. */
type RunWork = (work: (signal: AbortSignal, threads: number) => Promise<Buffer>) => Promise<Buffer>;

/** Reads answers to questions: first coverage and work, which decide whether the query may run, then the rows. */
export class StatisticsReader {
  readonly #archive: Archive;
  readonly #states: CoverageStateCache;
  readonly #queries: Pick<ArchiveQueries, 'runQuery'>;
  readonly #coverages: CachedCoverage;
  readonly #cache: PageCache;

  constructor(
    archive: Archive,
    states: CoverageStateCache,
    queries: Pick<ArchiveQueries, 'runQuery'>,
    cache: PageCache,
  ) {
    this.#archive = archive;
    this.#states = states;
    this.#queries = queries;
    this.#coverages = new CachedCoverage(archive, states, cache);
    this.#cache = cache;
  }

  /** The elements of `data`. */
  readJson(
    query: StatisticsQuery,
    client: QueuedRequest,
  ): Promise<{ data: AnswerText; coverage: CoverageText }> {
    return this.#answer(query, client, async (prepared, run) => {
      const { coverage } = prepared;
      const key = questionKey(query.question, prepared.clocks);
      const known = this.#cache.answer(key, coverage.readAt);
      if (known !== undefined) return { data: known, coverage };
      const readFrom = this.#states.clock.now;
      const data = { ...toElements(await this.#readRows(prepared, 'json', run)), readFrom };
      this.#cache.addAnswer(key, data);
      return { data, coverage };
    });
  }

  /** The whole body. */
  readBody(
    query: StatisticsQuery,
    format: Exclude<AnswerFormat, 'json'>,
    client: QueuedRequest,
  ): Promise<{ body: Buffer; coverage: CoverageText }> {
    return this.#answer(query, client, async (prepared, run) => ({
      body: await this.#readRows(prepared, format, run),
      coverage: prepared.coverage,
    }));
  }

  async #prepare(
    { question, timeZone }: StatisticsQuery,
    known: CachedStates,
    signal: AbortSignal,
  ): Promise<Prepared> {
    const stationYears = countStationYears(question, known.states);
    requireFewStationYears(question, stationYears); // 400
    return {
      question,
      clocks: await readClocks(this.#archive, question, timeZone, signal), // 400
      coverage: await this.#coverages.read(question, known, signal),
      stationYears,
    };
  }

  /** @param make reads rows with `run`, after the coverage */
  async #answer<T>(
    query: StatisticsQuery,
    client: QueuedRequest,
    make: (prepared: Prepared, run: RunWork) => Promise<T>,
  ): Promise<T> {
    const { question } = query;
    requireFewRows(question); // 400
    const stations = [...question.stations, ALL_STATIONS];
    const bytes = estimateBytes(question);
    const recalled = this.#states.recall(stations);
    if (recalled !== undefined && countStationYears(question, recalled.states) <= LARGE_STATION_YEARS)
      // Its rows are read during the check for changes.
      return this.#queries.runQuery(
        (signal) => {
          const readCovered = async (known: CachedStates) =>
            make(await this.#prepare(query, known, signal), (work) => work(signal, 1));
          return withStates(this.#states, stations, readCovered, signal);
        },
        client,
        bytes,
      );
    const prepared = await this.#queries.runQuery(
      async (signal) => this.#prepare(query, await this.#states.read(stations, signal), signal),
      client,
      stations.length * STATION_BYTES,
    );
    return make(prepared, async (work) => {
      if (prepared.stationYears <= LARGE_STATION_YEARS)
        return this.#queries.runQuery((signal) => work(signal, 1), client, bytes);
      // A large question leaves one processor for pages.
      const threads = Math.max(1, availableParallelism() - 1);
      return this.#queries.runQuery((signal) => work(signal, threads), client, bytes, 'stream');
    });
  }

  async #readRows({ question, clocks }: Prepared, format: AnswerFormat, run: RunWork): Promise<Buffer> {
    try {
      return await run((signal, threads) =>
        readStatistics(this.#archive, question, clocks, { format, threads }, signal),
      );
    } catch (error) {
      throw error instanceof TooManyRowsError ? tooManyRows() : error;
    }
  }
}

/** Lines as the elements of an array, in their own memory, not in the pool of small buffers. */
function toElements(lines: Buffer) {
  const bytes = Buffer.allocUnsafeSlow(Math.max(0, lines.length - 1));
  lines.copy(bytes, 0, 0, bytes.length);
  // JSON text contains no line breaks.
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) bytes[at] = COMMA;
  return { parts: bytes.length === 0 ? [] : [bytes], digest: digestParts([bytes]), size: bytes.length };
}
