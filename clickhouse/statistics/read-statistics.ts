import { setImmediate as turn } from 'node:timers/promises';
import type { Archive } from '../archive.ts';
import { isLimitOfGroups } from '../errors.ts';
import { LONG_READ, streamLines } from '../statements/select.ts';
import { Calendar, type CalendarHours, withYear } from './calendar.ts';
import type { Column } from './column.ts';
import { knownValues } from './complete-days.ts';
import { calendarUnits } from './groups.ts';
import { type AnswerRow, type CountedRow, MergedRows } from './merged-rows.ts';
import { MeanYears } from './normals.ts';
import { type AnswerFormat, convertRows, Printer } from './printer.ts';
import type { Clock, Question } from './question.ts';
import { readPeriods } from './read-periods.ts';
import { type StatementSource, sourceOf, statisticsStatement } from './statement.ts';
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
/** Printed before other requests have their turn. */
const ROWS_AT_ONCE = 1000;

type ReadOptions = {
  readonly format: AnswerFormat;
  readonly threads: number;
  readonly maxRows?: number;
};

/**
 * The answer to a question in a format:
 *
 *     rows of the statement + expected hours and groups without reports -> rows -> text [-> file by the engine]
 *
 * @param clocks each station of the question belongs to one
 * @throws {TooManyRowsError} beyond `maxRows`
 */
export async function readStatistics(
  archive: Archive,
  question: Question,
  clocks: readonly Clock[],
  { format, threads, maxRows = MAX_ROWS }: ReadOptions,
): Promise<Buffer> {
  const settings = {
    ...LONG_READ,
    // Less to plan, on one thread that also prints.
    enable_analyzer: 0,
    output_format_parallel_formatting: 0,
    // To find the rows for which a branch is needed takes longer than to compute it for all: 0.82 of the CPU of `daily`.
    short_circuit_function_evaluation: 'disable',
    // In one order of stations and times, whatever the parts: the last digit of a sum of doubles depends on the order.
    split_parts_ranges_into_intersecting_and_non_intersecting_final: 0,
    max_threads: threads,
    // Percentiles of one field share its values.
    optimize_syntax_fuse_functions: 1,
    max_bytes_before_external_sort: String(SORT_BYTES),
    max_bytes_ratio_before_external_sort: 0,
    max_rows_to_group_by: String(question.isMeanYear ? MOST_DAYS : maxRows),
    group_by_overflow_mode: 'throw',
  } as const;
  const source = sourceOf(question, clocks);
  const { select, ...columns } = statisticsStatement(source, await readPeriods(archive, source, settings));
  const merged = new MergedRows({ ...columns, ...expectedHours(question, clocks, columns.stations) });
  const all = [...STATION, ...columns.groups, ...COUNTS, ...columns.values];
  const printer = new Printer(format, all);
  const print = async (rows: Iterable<AnswerRow>) => {
    for (const row of rows) {
      if (printer.rows === maxRows) throw new TooManyRowsError('The answer has too many rows');
      printer.add(row);
      if (printer.rows % ROWS_AT_ONCE === 0) await turn();
    }
  };
  const meanYears = question.isMeanYear ? new MeanYears() : undefined;
  try {
    for await (const lines of streamLines(archive, { ...select, settings }))
      await print(merged.upTo(meanYears?.upTo(lines) ?? rowsOf(source, lines)));
    if (meanYears !== undefined) await print(merged.upTo(meanYears.rest()));
    await print(merged.rest());
  } catch (error) {
    // Without the cause, which reads as a query that took too long: TOO_MANY_ROWS.
    throw isLimitOfGroups(error) ? new TooManyRowsError('The answer has too many rows') : error;
  }
  const bytes = printer.finish();
  return format === 'parquet' || format === 'arrow' ? convertRows(archive, all, bytes, format) : bytes;
}

const TAB = 9;
const LINE_FEED = 10;
const ONE = '1'.charCodeAt(0);

/** The rows of tab-separated lines. */
function* countedRows(lines: Buffer, groups: number): Generator<CountedRow, undefined> {
  for (let at = 0; at < lines.length; ) {
    const end = lines.indexOf(LINE_FEED, at);
    let headEnd = at - 1;
    for (let n = 0; n < groups + 2; n += 1) headEnd = lines.indexOf(TAB, headEnd + 1);
    const head = lines.toString('latin1', at, headEnd).split('\t');
    const n = head.pop() as string;
    yield { station: Number(head[0]), groups: head.slice(1), n, values: lines.subarray(headEnd + 1, end) };
    at = end + 1;
  }
}

/** The same without what is not known of days of which too little is known. */
function* rowsOf({ question, groups }: StatementSource, lines: Buffer): Generator<CountedRow, undefined> {
  const rows = countedRows(lines, groups.length);
  if (question.days !== 'complete') return yield* rows;
  for (const row of rows) {
    const isComplete = row.values.at(-1) === ONE;
    const values = row.values.subarray(0, -2);
    yield { ...row, values: isComplete ? values : knownValues(question.statistics, values) };
  }
}

const STATION: readonly Column[] = [{ name: 'station', sql: '', type: 'String' }];
const COUNTS: readonly Column[] = ['n', 'expected'].map((name) => ({ name, sql: '', type: 'Int64' }));

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
