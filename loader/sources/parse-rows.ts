import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { type Day, type DayRange, dayOf, dayStart, parseDay } from '../../clickhouse/model/day.ts';
import { ICAO_CODE } from '../../clickhouse/model/report.ts';
import { isWithin, type TimeWindow } from '../../clickhouse/model/time-window.ts';
import { splitLines } from './body.ts';
import type { RowFormat, RowParser, SkippedRow, SourceRow } from './format.ts';
import {
  type Body,
  InvalidResponseError,
  NO_STATION_AND_TIME,
  OTHER_BULLETIN,
  OTHER_KIND,
  OUTSIDE_WINDOW,
  type ParsedBody,
  type SkipCounts,
  type Slice,
  skip,
  WRONG_STATION,
  windowOfSlice,
} from './source.ts';
import { reportsIn } from './two-reports.ts';

/** The source holds a report that cannot be read: its day is not done (D13). */
export const CUT_SHORT = 'cut short';
/** Not a line of this format. Too many of them make the response invalid. */
export const UNREADABLE_ROW = 'unreadable row';
const UNREADABLE: SkippedRow = { reason: UNREADABLE_ROW };
const isUnreadable = (row: ReturnType<RowParser>): boolean =>
  row !== undefined && 'reason' in row && row.reason === UNREADABLE_ROW;

/** A line before the first one of a format is a header of its own, unless it holds a report. */
const TIME_OF_REPORT = /\b\d{6}Z\b/;
/** Characters of a line in a message. */
const SHOWN_CHARACTERS = 120;
export const shown = (line: string): string => JSON.stringify(line.slice(0, SHOWN_CHARACTERS));

/**
 * Reads the lines of a response or a file in the first format that one of them opens, and remembers which cannot be read
 * (D68).
 *
 * @param days those of a file, for formats that say no month
 */
export function lineReader<Format extends RowFormat>(formats: readonly Format[], days?: DayRange) {
  let format: Format | undefined;
  let parse: RowParser | undefined;
  let [lineNumber, headerLines, rows, unreadable] = [0, 0, 0, 0];
  let [isLastUnreadable, endsEarly] = [false, false];
  let [first, cut]: (string | undefined)[] = [];
  const lineOf = (line: string) => `line ${lineNumber}, ${shown(line)}`;

  function counted(row: ReturnType<RowParser>, line: string, isEnded = true): typeof row {
    if (row === undefined) return undefined;
    rows += 1;
    isLastUnreadable = isUnreadable(row);
    if (isLastUnreadable) {
      unreadable += 1;
      first ??= `${lineOf(line)}${isEnded ? '' : ', which has no line feed and may be cut off'}`;
    }
    return row;
  }

  return {
    /** @param isEnded whether the line has its line feed */
    take(line: string, isEnded: boolean): ReturnType<RowParser> {
      lineNumber += 1;
      if (format?.errorText?.test(line)) {
        endsEarly = true;
        return counted(UNREADABLE, line);
      }
      if ((line === '' && !format?.hasEmptyLines) || line.startsWith('#')) return undefined;
      const isFirst = parse === undefined;
      if (isFirst) {
        headerLines += 1;
        format = formats.find((each) => each.open(line, days) !== undefined);
        parse = format?.open(line, days);
      }
      if (format === undefined || parse === undefined)
        return TIME_OF_REPORT.test(line) ? counted(UNREADABLE, line, isEnded) : undefined;
      const isWhole = isEnded || (format.isWhole?.(line) ?? /["=]$/.test(line));
      if (!isWhole) cut = lineOf(line);
      if (isFirst && !format.isRow?.(line)) return undefined;
      const row = isWhole ? parse(line) : UNREADABLE;
      // Files that were joined have a header between their rows, also with other columns.
      const next = isUnreadable(row) && !format.isRow?.(line) ? format.open(line, days) : undefined;
      parse = next ?? parse;
      return next === undefined ? counted(row, line, isEnded) : undefined;
    },
    /** The report that no line has ended, unless the last line was cut. */
    end: () => counted(cut === undefined ? parse?.end?.() : undefined, ''),
    format: () => format,
    headerLines: () => headerLines,
    /** The last line, if it is cut. */
    cut: () => cut,
    /** `undefined` if every line can be read. */
    message: () =>
      first &&
      `${unreadable} of ${rows} rows cannot be read, the first is ${first}; expected ${format?.name}`,
    isEvery: () => rows > 0 && unreadable === rows,
    /** Whether most rows or the last one cannot be read: the body is of another format, or is cut. */
    isBroken: () => isLastUnreadable || endsEarly || unreadable > rows / 2,
  };
}

/**
 * A time in UTC as sources, pandas and R write it: `2024-01-31 12:51`, with or without `T`, seconds and `Z`; R's `write.csv`
 * leaves out 00:00. Rows are mostly in order of time, so a day is parsed once.
 *
 * @returns parses a time as seconds since 1970-01-01T00:00:00Z; `undefined` for another text, such as `2/1/2024 0:54`, whose day
 *   and month cannot be told apart
 */
export function rowTimeParser(): (text: string) => number | undefined {
  let day = '';
  let midnight: number | undefined;
  return (text) => {
    const match = ROW_TIME.exec(text);
    if (match === null) return undefined;
    if (match[1] !== day) {
      day = match[1] ?? '';
      const known = parseDay(day);
      midnight = known === undefined ? undefined : dayStart(known);
    }
    return midnight === undefined
      ? undefined
      : midnight + Number(match[2] ?? 0) * 3600 + Number(match[3] ?? 0) * 60 + Number(match[4] ?? 0);
  };
}

const ROW_TIME =
  /^(\d{4}-\d\d-\d\d)(?:[ T]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?(?: ?(?:Z|UTC)|\+00:?00)?)?$/;

const STATED = /^(?:(?:METAR|SPECI|COR|CC[A-Z]) )*([A-Z][A-Z0-9]{3})(?: \d{6}Z?\b| NIL\b)/;

/** A report of a format without a column for the station. */
export function rowOfText(text: string, row: Omit<SourceRow, 'station' | 'text'>): SourceRow | SkippedRow {
  const station = STATED.exec(text)?.[1];
  const { filedAt } = row;
  if (station !== undefined) return { ...row, station, text };
  return { filedAt, reason: OTHER_BULLETIN.test(text) ? OTHER_KIND : NO_STATION_AND_TIME };
}

/** Keeps the rows of a slice, and counts the others by reason. */
export function rowsOfSlice(slice: Slice, window: TimeWindow, maxRows: number) {
  const rows: SourceRow[] = [];
  const skipped: SkipCounts = {};
  const incompleteDays = new Set<Day>();
  const isOfSlice = (station: string) => slice.station === ALL_STATIONS || station === slice.station;
  const add = (row: SourceRow | SkippedRow): void => {
    if ('reason' in row) addOne(row);
    else for (const report of reportsIn(row)) addOne(report);
  };
  const addOne = (row: SourceRow | SkippedRow): void => {
    const { filedAt, station } = row;
    if (filedAt !== undefined && !isWithin(filedAt, window)) skip(skipped, OUTSIDE_WINDOW);
    else if (station !== undefined && !isOfSlice(station)) skip(skipped, WRONG_STATION);
    else if (station !== undefined && !ICAO_CODE.test(station)) skip(skipped, 'not an ICAO code');
    else if ('reason' in row) {
      skip(skipped, row.reason);
      if (row.reason === CUT_SHORT && filedAt !== undefined) incompleteDays.add(dayOf(filedAt));
    } else if (rows.push(row) > maxRows) throw new InvalidResponseError('more rows than a slice can have');
  };
  return { rows, skipped, incompleteDays, add };
}

/** Properties of a complete response to a slice. */
type ResponseChecks = {
  /** The times of the requested rows, seconds `[from, to)`, where they are not those of the slice. */
  readonly window?: TimeWindow;
  readonly isInOrderOfTime?: true;
  /** Seconds without a row at the end of the window after which rows may be missing; absent for static files. */
  readonly maxSilenceSeconds?: number;
};

/**
 * Parses the response to a slice. Throws `InvalidResponseError` where the body is not of the format, is cut within a line
 * or has more rows than any response. A body that may lack rows gets a suspicion.
 */
export async function parseRows(
  body: Body,
  slice: Slice,
  format: RowFormat,
  maxRows: number,
  { window = windowOfSlice(slice), isInOrderOfTime, maxSilenceSeconds }: ResponseChecks = {},
): Promise<ParsedBody> {
  const { rows, skipped, incompleteDays, add } = rowsOfSlice(slice, window, maxRows);
  const reader = lineReader([format]);
  let lastFiledAt = window.from;
  let isOutOfOrder = false;
  for await (const { lines, ended } of splitLines(body))
    for (const line of lines) {
      if (format.errorText?.test(line)) throw new InvalidResponseError(line.slice(0, SHOWN_CHARACTERS));
      const row = reader.take(line, ended);
      // Only a page of HTML has such a line, whatever its other lines are.
      if ((reader.headerLines() > 0 && reader.format() === undefined) || line.startsWith('<'))
        throw new InvalidResponseError(`expected ${format.name}; found ${shown(line)}`);
      if (row === undefined) continue;
      if (row.filedAt !== undefined) {
        isOutOfOrder ||= row.filedAt < lastFiledAt;
        lastFiledAt = Math.max(lastFiledAt, row.filedAt);
      }
      add(row);
    }
  if (reader.format() === undefined) throw new InvalidResponseError('an empty body');
  if (reader.cut() !== undefined)
    throw new InvalidResponseError(`the last line is incomplete: ${reader.cut()}`);
  const last = reader.end();
  if (last !== undefined) add(last);
  const message = reader.message();
  if (reader.isEvery()) throw new InvalidResponseError(`${message}`);
  const suspicion = () => {
    // A complete transfer of a static file is a complete response.
    if (maxSilenceSeconds === undefined) return undefined;
    if (message !== undefined) return 'unreadable rows';
    if (isInOrderOfTime && isOutOfOrder) return 'rows out of order';
    if (rows.length === 0) return 'no reports';
    const isSilent = lastFiledAt < Math.min(window.to, Date.now() / 1000) - maxSilenceSeconds;
    return isSilent ? `no rows after ${new Date(lastFiledAt * 1000).toISOString()}` : undefined;
  };
  return {
    rows,
    skipped,
    suspicion: suspicion(),
    unreadable: message,
    isBroken: reader.isBroken(),
    incompleteDays: [...incompleteDays],
    lastFiledAt,
  };
}
