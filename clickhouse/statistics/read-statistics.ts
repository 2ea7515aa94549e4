import type { Archive } from '../archive.ts';
import { isLimitOfGroups } from '../errors.ts';
import { LONG_READ } from '../statements/select.ts';
import type { Clock, Question } from './question.ts';
import { type AnswerFormat, MAX_ROWS, statisticsStatement } from './statistics-statement.ts';

/** The answer would have more rows than an answer may have. */
export class TooManyRowsError extends Error {
  override readonly name = 'TooManyRowsError';
}

/** Smaller than by default: each part of the range has blocks in memory until it is merged with the others. */
const BLOCK_ROWS = 16_384;
/** Of a mean year: the days of 1,000 station-years, in two threads. */
const MOST_DAYS = 750_000;
/** Rows that are sorted in memory; what is more goes to the disk. */
const SORT_BYTES = 128 * 1024 * 1024;

/**
 * The answer to a question in a format. As `json` each line is an element of `data`.
 *
 * @param clocks each station of the question belongs to one
 * @throws {TooManyRowsError} beyond `MAX_ROWS`
 */
export async function readStatistics(
  archive: Archive,
  question: Question,
  clocks: readonly Clock[],
  { format, threads }: { readonly format: AnswerFormat; readonly threads: number },
): Promise<Buffer> {
  const statement = statisticsStatement(question, clocks, format);
  // Each thread has groups of its own before they are merged, so that this bounds memory; the statement counts rows.
  const limits = {
    ...LONG_READ,
    max_threads: threads,
    max_block_size: String(BLOCK_ROWS),
    // To start the threads of a parallel join and of parallel printing takes longer than to join and print an answer.
    join_algorithm: 'hash',
    output_format_parallel_formatting: 0,
    // Percentiles of one field share its values.
    optimize_syntax_fuse_functions: 1,
    max_bytes_before_external_sort: String(SORT_BYTES),
    max_bytes_ratio_before_external_sort: 0,
    max_rows_to_group_by: String(question.isMeanYear ? MOST_DAYS : MAX_ROWS * 2),
    group_by_overflow_mode: 'throw',
  } as const;
  try {
    return await archive.select({ ...statement, settings: { ...statement.settings, ...limits } });
  } catch (error) {
    // Without the cause, which reads as a query that took too long: TOO_MANY_ROWS.
    throw isLimitOfGroups(error) ? new TooManyRowsError('The answer has too many rows') : error;
  }
}
