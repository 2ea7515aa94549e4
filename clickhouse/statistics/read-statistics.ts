import type { Archive } from '../archive.ts';
import { isLimitOfGroups } from '../errors.ts';
import { Pauses } from '../pauses.ts';
import { KEEPS_BLOCKS, LONG_READ } from '../statements/select.ts';
import type { Clock } from '../zones/clocks.ts';
import { Calendar, type CalendarHours, withYear } from './calendar.ts';
import type { Column } from './column.ts';
import { calendarUnits } from './groups.ts';
import { type AnswerRow, type CountedRow, MergedRows } from './merged-rows.ts';
import { GROUPS_OF_MEAN_YEAR, meanYearOf, VALUES_OF_MEAN_YEAR } from './normals.ts';
import { type AnswerFormat, convertRows, Printer } from './printer.ts';
import type { Question } from './question.ts';
import { StatementSource } from './statement.ts';
import { readGroups, readStations } from './station-rows.ts';
import { windowOf } from './times.ts';

/** Rows of an answer at most (D45). */
export const MAX_ROWS = 100_000;

/** The answer would have more rows than an answer may have. */
export class TooManyRowsError extends Error {
  override readonly name = 'TooManyRowsError';
}

/** The most days of a question about a mean year: those of 1,000 station-years, in two threads. */
const MOST_DAYS = 750_000;
/** Rows that are sorted in memory; what is more goes to the disk. */
const SORT_BYTES = 128 * 1024 * 1024;
/** Of a station, of the reports around a range (`hasMargin`); the limit of rows is counted again where they are printed. */
const GROUPS_OUTSIDE = 200;

type ReadOptions = {
  readonly format: AnswerFormat;
  readonly threads: number;
  readonly maxRows?: number;
  /** Ends the work between statements too; `archive` ends these. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * The answer to a question in a format:
 *
 *     rows of the statement [+ longer times, months and days] [-> mean years] + expected hours and groups without reports
 *         -> rows -> text [-> file by the engine]
 *
 * @param clocks each station of the question belongs to one
 * @throws {TooManyRowsError} beyond `maxRows`
 */
export async function readStatistics(
  archive: Archive,
  question: Question,
  clocks: readonly Clock[],
  { format, threads, maxRows = MAX_ROWS, signal }: ReadOptions,
): Promise<Buffer> {
  const settings = {
    ...LONG_READ,
    ...KEEPS_BLOCKS,
    // Less to plan, on one thread that also prints.
    enable_analyzer: 0,
    output_format_parallel_formatting: 0,
    // In blocks of rows, however many fields they have: 0.91 of the CPU of `daily` and `normals`.
    preferred_block_size_bytes: '0',
    // To find the rows for which a branch is needed takes longer than to compute it for all: 0.82 of the CPU of `daily`.
    short_circuit_function_evaluation: 'disable',
    // In one order of stations and times, whatever the parts: the last digit of a sum of doubles depends on the order.
    split_parts_ranges_into_intersecting_and_non_intersecting_final: 0,
    max_threads: threads,
    // Percentiles of one field share its values.
    optimize_syntax_fuse_functions: 1,
    max_bytes_before_external_sort: String(SORT_BYTES),
    max_bytes_ratio_before_external_sort: 0,
    max_rows_to_group_by: String(
      (question.isMeanYear ? MOST_DAYS : maxRows) + GROUPS_OUTSIDE * question.stations.length,
    ),
    group_by_overflow_mode: 'throw',
  } as const;
  const source = new StatementSource(question, clocks, settings);
  const columns = question.isMeanYear
    ? { stations: source.stations, groups: GROUPS_OF_MEAN_YEAR, values: VALUES_OF_MEAN_YEAR }
    : source;
  const merged = new MergedRows({ ...columns, ...expectedHours(question, clocks, columns.stations) });
  const all = [...STATION, ...columns.groups, ...COUNTS, ...columns.values];
  const pauses = new Pauses(signal);
  const printer = new Printer(format, all);
  const print = async (rows: Iterable<AnswerRow>) => {
    for (const row of rows) {
      if (printer.rows === maxRows) throw new TooManyRowsError('The answer has too many rows');
      printer.add(row);
      if (pauses.isDue) await pauses.take();
    }
  };
  try {
    for await (const rows of readRows(archive, source, pauses)) await print(merged.upTo(rows));
    await print(merged.rest());
  } catch (error) {
    // Without the cause, which reads as a query that took too long: TOO_MANY_ROWS.
    throw isLimitOfGroups(error) ? new TooManyRowsError('The answer has too many rows') : error;
  }
  const bytes = printer.finish();
  return format === 'parquet' || format === 'arrow' ? convertRows(archive, all, bytes, format) : bytes;
}

/** The rows of a question, in the order of the answer. */
async function* readRows(
  archive: Archive,
  source: StatementSource,
  pauses: Pauses,
): AsyncGenerator<Iterable<CountedRow>> {
  const { question, values } = source;
  const isOfGroups = question.days !== 'complete' && values.every(({ sql }) => sql !== undefined);
  if (isOfGroups) yield* readGroups(archive, source);
  else
    for await (const rows of readStations(archive, source, pauses))
      yield question.isMeanYear ? await meanYearOf(rows, values, pauses) : rows;
}

const STATION: readonly Column[] = [{ name: 'station', type: 'String' }];
const COUNTS: readonly Column[] = ['n', 'expected'].map((name) => ({ name, type: 'Int64' }));

/** The part of `AnswerShape` that the calendar decides. The hours of a clock are computed when its first station is reached. */
function expectedHours(question: Question, clocks: readonly Clock[], stations: readonly string[]) {
  const calendar = new Calendar(question.isMeanYear ? ['month'] : calendarUnits(question.groups));
  const clockOf = new Map(
    clocks.flatMap((clock) => clock.stations.map((station) => [station, clock] as const)),
  );
  const known = new Map<Clock, CalendarHours>();
  const read = (clock: Clock) => {
    const hours = calendar.hoursOf(windowOf(clock, question), clock.offsets);
    return question.isMeanYear ? withYear(hours) : hours;
  };
  return {
    calendar,
    calendarAt: question.groups.flatMap(({ kind }, at) => (kind === 'calendar' ? [at] : [])),
    hoursOf: (station: number) => {
      const clock = clockOf.get(stations[station] as string) as Clock;
      const hours = known.get(clock) ?? read(clock);
      known.set(clock, hours);
      return hours;
    },
  };
}
