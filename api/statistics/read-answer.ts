import { hash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Archive } from '../../clickhouse/archive.ts';
import type { Moment } from '../../clickhouse/concurrency.ts';
import type { CachedStates } from '../../clickhouse/coverage/state-cache.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import type { AnswerFormat } from '../../clickhouse/statistics/printer.ts';
import type { Question } from '../../clickhouse/statistics/question.ts';
import { readStatistics, TooManyRowsError } from '../../clickhouse/statistics/read-statistics.ts';
import { type Memory, readCoverageText } from '../answers/coverage.ts';
import { type CachedText, toCachedText } from '../answers/envelope.ts';
import type { ArchiveQueries } from '../ops/query-limits.ts';
import type { QueuedRequest } from '../ops/queued-request.ts';
import { readClocks, timesOf } from '../zones/clocks.ts';
import {
  countStationYears,
  estimateBytes,
  requireFewRows,
  requireFewStationYears,
  tooManyRows,
} from './bounds.ts';
import type { StatisticsRequest } from './endpoint.ts';

/** Questions over this many station-years take about 0.1 s, so they queue with the streams. */
const LARGE_STATION_YEARS = 25;

/** Memory of a station: its coverage, position and clock. */
const ASKED_STATION_BYTES = 1024;

/** Rows as JSON. They stay valid as long as a page read at the same time would. */
type CachedRows = CachedText & { readonly readFrom: Moment };

type Readers = Memory & { readonly queries: Pick<ArchiveQueries, 'runQuery'> };

/**
 * Reads the answer to a question: first coverage and work, which decide whether the query may run, then the rows.
 *
 * @returns its `rows` are the elements of `data`, or the whole body of another format
 */
export async function readAnswer(
  service: Readers,
  question: StatisticsRequest,
  filtersKey: string,
  format: AnswerFormat,
  client: QueuedRequest,
) {
  requireFewRows(question); // 400
  // Before the size is known, so that a question waits for memory once, and not while it holds some.
  const bytes = Math.max(estimateBytes(question), question.stations.length * ASKED_STATION_BYTES);
  const prepared = await service.queries.runQuery(
    (archive, signal) =>
      service.states.read(
        [...question.stations, ALL_STATIONS],
        (known) => prepare(service, archive, question, filtersKey, known),
        signal,
      ),
    client,
    bytes,
  );
  const { coverage, inUtc, times, stationYears, key } = prepared;
  const known = format === 'json' ? (service.cache.get(key) as CachedRows | undefined) : undefined;
  if (known !== undefined && known.readFrom >= coverage.readAt)
    return { rows: known, coverage, inUtc, times };
  const isLarge = stationYears > LARGE_STATION_YEARS;
  // A large question leaves one processor for pages.
  const threads = isLarge ? Math.max(1, availableParallelism() - 1) : 1;
  const rows = await service.queries.runQuery(
    (archive) => readRows(service, archive, question, prepared, { format, threads }),
    client,
    0,
    isLarge ? 'stream' : 'query',
  );
  return { rows, coverage, inUtc, times };
}

/** What is known of a question before its query may run; `key` is that of its rows as JSON. */
async function prepare(
  service: Readers,
  archive: Archive,
  question: StatisticsRequest,
  filtersKey: string,
  known: CachedStates,
) {
  const stationYears = countStationYears(question, known.states);
  requireFewStationYears(question, stationYears); // 400
  const { clocks, inUtc } = await readClocks(archive, {
    ...question,
    isByDay: question.expanded?.by === 'date' && !question.isMeanYear,
  });
  const times = timesOf(question, clocks);
  const coverage = await readCoverageText(service, archive, times, known);
  // The clocks of `local` and `standard` change when a source states other zones.
  const ofStations = clocks.map(({ offsets, stations, range }) => [offsets, stations.toSorted(), range]);
  const key = hash('sha256', JSON.stringify([filtersKey, ofStations]), 'base64url');
  return { clocks, coverage, inUtc, times, stationYears, key };
}

async function readRows(
  { states, cache }: Readers,
  archive: Archive,
  question: Question,
  { clocks, key }: Pick<Awaited<ReturnType<typeof prepare>>, 'clocks' | 'key'>,
  options: { readonly format: AnswerFormat; readonly threads: number },
): Promise<CachedText> {
  const readFrom = states.clock.now;
  const bytes = await readStatistics(archive, question, clocks, options).catch((error) => {
    throw error instanceof TooManyRowsError ? tooManyRows() : error;
  });
  // A file has no entity tag (D33), so it needs no digest.
  if (options.format !== 'json') return { text: bytes, digest: '', size: bytes.length };
  const rows = { ...toCachedText(bytes), readFrom };
  cache.set(key, rows);
  return rows;
}
