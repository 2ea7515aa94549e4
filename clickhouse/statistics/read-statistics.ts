import type { Archive, Select } from '../archive.ts';
import { isLimitOfGroups } from '../errors.ts';
import { clampToArchive, NO_TIME, NOMINAL_HOUR, type StationRange } from '../model/time-window.ts';
import { recordsOfLines } from '../observations/records.ts';
import type { RowFormat } from '../observations/stream/output-formats.ts';
import { printRows } from '../statements/print-rows.ts';
import { KEEPS_BLOCKS, LONG_READ, planSettings } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { type Clock, timesOf, windowOf } from '../zones/clocks.ts';
import { type LocalTexts, offsetSql } from '../zones/local-texts.ts';
import { calendarRows } from './calendar.ts';
import type { Question } from './question.ts';
import { groupedStatement, reportRows } from './values.ts';

/** Rows of an answer at most (D45). */
export const MAX_ROWS = 100_000;

export class TooManyRowsError extends Error {
  override readonly name = 'TooManyRowsError';
}

type ReadOptions = {
  readonly format: RowFormat;
  readonly threads: number;
  readonly maxRows?: number;
  /** Prints times; in UTC if it is absent. */
  readonly local?: LocalTexts | undefined;
};

/**
 * The answer to a question in a format, as the engine prints it; of JSON the elements of `data`, with commas between them.
 *
 * @param clocks each station of the question belongs to one
 * @throws {TooManyRowsError} beyond `maxRows`
 */
export async function readStatistics(
  archive: Archive,
  question: Question,
  clocks: readonly Clock[],
  { format, threads, maxRows = MAX_ROWS, local }: ReadOptions,
): Promise<Buffer> {
  const select = statisticsStatement(question, clocks, { format, maxRows, local });
  const settings = {
    ...select.settings,
    ...SETTINGS,
    max_threads: threads,
    max_rows_to_group_by: String(maxRows),
    group_by_overflow_mode: 'throw',
  } as const;
  const bytes = await archive.select({ ...select, settings }).catch((error) => {
    // Without the cause, which reads as a query that took too long.
    throw isLimitOfGroups(error) ? new TooManyRowsError('The answer has too many rows') : error;
  });
  return format === 'json' ? recordsOfLines(bytes).bytes : bytes;
}

const SETTINGS = {
  ...LONG_READ,
  ...KEEPS_BLOCKS,
  // On one thread that also prints. (The older analyzer plans a level within another twice.)
  output_format_parallel_formatting: 0,
  // In blocks of rows, however many fields they have, that stay in the cache of a core: 0.92 of the CPU of twice as many.
  preferred_block_size_bytes: '0',
  max_block_size: '32768',
  // To find the rows for which a branch is needed takes longer than to compute it for all.
  short_circuit_function_evaluation: 'disable',
  // In one order of stations and times, whatever the parts: the last digit of a sum of doubles depends on the order.
  split_parts_ranges_into_intersecting_and_non_intersecting_final: 0,
  // Percentiles of one field share its values.
  optimize_syntax_fuse_functions: 1,
} as const;

const STATISTICS = readStatement('statistics/statistics');

/** SQL: the letters of a code as a number. With this key of groups, the index of a station is looked up once for each group. */
const LETTERS = "CAST(reinterpretAsUInt32(station), 'UInt32')";
const NUMBER_OF_STATION = `toUInt16(transform(reinterpretAsString(${LETTERS}), {stations:Array(String)}, range(length({stations:Array(String)})), 0))`;

/**
 * The statement of a question, in the order of stations and groups.
 *
 * @throws {TooManyRowsError} if the groups of the calendar alone are more than `maxRows`
 */
export function statisticsStatement(
  question: Question,
  clocks: readonly Clock[],
  { format, maxRows = MAX_ROWS, local: localTexts }: Omit<ReadOptions, 'threads'>,
): Select {
  const stations = question.stations.toSorted();
  const isOfOne = stations.length === 1;
  const local = localTime(clocks, question);
  const station = '{stations:Array(String)}[_station + 1]';
  const { rows, isRead } = reportRows(question);
  const grouped = groupedStatement(question, rows, station);
  const { keys, groupKeys, meets } = grouped;
  const calendar = calendarRows(question, groupKeys, clocks, stations);
  const ofCalendar = keys.filter((_, n) => groupKeys[n]?.keyType !== undefined);
  const isOfCalendar = ofCalendar.length === keys.length;
  if (isOfCalendar && calendar.count > maxRows) throw new TooManyRowsError('The answer has too many rows');
  const printed = printRows(grouped.columns, format, localTexts);
  const query = fillSql(STATISTICS, {
    columns: printed.columns,
    local: local.sql('toUInt32(observedAt)'),
    localHour: local.sql(`${NOMINAL_HOUR} * 3600`),
    station: isOfOne ? 'toUInt16(0)' : NUMBER_OF_STATION,
    count: grouped.count,
    selected: grouped.selected,
    stations: isOfOne ? 'station = {stations:Array(String)}[1]' : 'station IN {stations:Array(String)}',
    reports: [isRead, ...local.isInRange, ...(meets ? [`(${meets})`] : [])].join('\n        AND '),
    keys: [isOfOne ? '_station' : LETTERS, ...keys].join(', '),
    join: isOfCalendar ? 'FULL' : 'LEFT',
    calendar: ['_station', ...ofCalendar].join(', '),
    order: ['_station', ...keys].join(', '),
    format: printed.format,
  });
  return {
    query,
    params: { stations, ...grouped.params, ...local.params, ...printed.params },
    ofStations: !isOfOne,
    file: calendar.takeFile('calendar'),
    settings: { ...printed.settings, ...planSettings(question) },
  };
}

/** SQL for the local time of a report, and for whether it is in the range of a question. */
function localTime(clocks: readonly Clock[], asked: StationRange) {
  const { clockOf, offsetAt, params } = offsetSql(clocks, 'clock');
  const windows = clocks.map((each) => windowOf(each, asked));
  const hasRanges = clocks.length > 1 && clocks.some((each) => each.range !== undefined);
  const bound = (name: string) => `{${name}:Array(UInt32)}[${clockOf('station')} + 1]`;
  return {
    /**
     * A DateTime whose date and hour are local.
     *
     * @param time SQL: seconds since 1970-01-01T00:00:00Z
     */
    sql: (time: string) => `toDateTime(toUInt32(${time} + ${offsetAt(time, 'station')}), 'UTC')`,
    /** SQL: whether it is in the range of its station, where stations have other ranges than `from` and `to`. */
    isInRange: hasRanges
      ? [`toUInt32(observedAt) >= ${bound('begins')} AND toUInt32(observedAt) < ${bound('ends')}`]
      : [],
    params: {
      ...(clampToArchive(timesOf(asked, clocks)) ?? NO_TIME),
      ...params,
      ...(hasRanges && { begins: windows.map(({ from }) => from), ends: windows.map(({ to }) => to) }),
    },
  };
}
