import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { type Day, dayOf, dayStart, parseDay } from '../../clickhouse/model/day.ts';
import { ICAO_CODE } from '../../clickhouse/model/report.ts';
import { isWithin, type TimeWindow } from '../../clickhouse/model/time-window.ts';
import { forEachLine } from './body.ts';
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
} from './source.ts';
import { reportsIn } from './two-reports.ts';

/** The source holds a report that cannot be read: its day is not done (D13). */
export const CUT_SHORT = 'cut short';
/** Not a line of this format. Too many of them make the response invalid. */
export const UNREADABLE_ROW = 'unreadable row';

/** Characters of a line in a message. */
const SHOWN_CHARACTERS = 120;

export const shown = (line: string): string => JSON.stringify(line.slice(0, SHOWN_CHARACTERS));

/** Counts the lines of a body that cannot be read, and remembers the first (D68). */
export function unreadableLines(format: RowFormat) {
  let [rows, unreadable, isLast, endsEarly] = [0, 0, false, false];
  let first: string | undefined;
  return {
    /** The source says that it does not send the rest. */
    endEarly(line: string, number: number): void {
      endsEarly = true;
      this.add(line, number, true);
    },
    /**
     * @param number of the line in the body, from 1
     * @param isEnded whether the line has its line feed
     */
    add(line: string, number: number, isUnreadable: boolean, isEnded = true): void {
      rows += 1;
      isLast = isUnreadable;
      if (!isUnreadable) return;
      unreadable += 1;
      const end = isEnded ? '' : ', which has no line feed and may be cut off';
      first ??= `line ${number}, ${shown(line)}${end}`;
    },
    /** `undefined` if every line can be read. */
    message: () =>
      first && `${unreadable} of ${rows} rows cannot be read, the first is ${first}; expected ${format.name}`,
    isEvery: () => rows > 0 && unreadable === rows,
    /** Most of the body, or its end, is not of the format: it is another one, or breaks off. */
    isBroken: () => isLast || endsEarly || unreadable > rows / 2,
  };
}

/**
 * A time in UTC as sources, pandas and R write it: `2024-01-31 12:51`, with or without `T`, seconds and `Z`. Rows are mostly
 * in order of time, so a day is parsed once.
 *
 * @returns parses a time, seconds since 1970-01-01T00:00:00Z; `undefined` where it is none. Other forms, such as
 *   `2/1/2024 0:54` of a spreadsheet, do not tell day and month apart
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
      : midnight + Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0);
  };
}

const ROW_TIME = /^(\d{4}-\d\d-\d\d)[ T]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?(?:Z|\+00:00)?$/;

const STATED = /^(?:(?:METAR|SPECI|COR|CC[A-Z]) )*([A-Z][A-Z0-9]{3})(?: \d{6}Z?\b| NIL\b)/;

/** A report of a format without a column for the station. */
export function rowOfText(text: string, row: Omit<SourceRow, 'station' | 'text'>): SourceRow | SkippedRow {
  const station = STATED.exec(text)?.[1];
  const { filedAt } = row;
  if (station !== undefined) return { ...row, station, text };
  return { filedAt, reason: OTHER_BULLETIN.test(text) ? OTHER_KIND : NO_STATION_AND_TIME };
}

/** What a complete response to a slice is like. */
type ResponseChecks = {
  /** The times of the requested rows, seconds `[from, to)`. */
  readonly window: TimeWindow;
  readonly maxRows: number;
  readonly isInOrderOfTime?: true;
  /**
   * Seconds without a row at the end of the window after which rows may be missing. Absent where a complete transfer is a
   * complete response, as that of a static file is.
   */
  readonly maxSilenceSeconds?: number;
};

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

/**
 * Parses the response to a slice. Throws `InvalidResponseError` where the body is not of the format, is cut within a line
 * or has more rows than any response. A body that may lack rows gets a suspicion.
 */
export async function parseRows(
  body: Body,
  slice: Slice,
  format: RowFormat,
  checks: ResponseChecks,
): Promise<ParsedBody> {
  const { window, maxRows } = checks;
  const { rows, skipped, incompleteDays, add } = rowsOfSlice(slice, window, maxRows);
  const unreadable = unreadableLines(format);
  let parse: RowParser | undefined;
  let lineNumber = 0;
  let lastFiledAt = window.from;
  let isOutOfOrder = false;
  let lastLine = '';
  const unexpected = (line: string) =>
    new InvalidResponseError(`expected ${format.name}; found ${shown(line)}`);

  const isEnded = await forEachLine(body, (line) => {
    if (format.errorText?.test(line)) throw new InvalidResponseError(line.slice(0, SHOWN_CHARACTERS));
    lineNumber += 1;
    if (line === '' && !format.hasEmptyLines) return;
    lastLine = line || lastLine;
    // Only a page of HTML has such a line, whatever its other lines are.
    if (line.startsWith('<')) throw unexpected(line);
    if (parse === undefined) {
      if (line.startsWith('#')) return;
      parse = format.open(line);
      if (parse === undefined) throw unexpected(line);
      if (!format.isRow?.(line)) return;
    }
    const row = parse(line);
    if (row === undefined) return;
    unreadable.add(line, lineNumber, 'reason' in row && row.reason === UNREADABLE_ROW);
    if (row.filedAt !== undefined) {
      isOutOfOrder ||= row.filedAt < lastFiledAt;
      lastFiledAt = Math.max(lastFiledAt, row.filedAt);
    }
    add(row);
  });
  const parser: RowParser | undefined = parse;
  if (parser === undefined) throw new InvalidResponseError('an empty body');
  const last = parser.end?.();
  if (last !== undefined) add(last);
  if (!isEnded && !lastLine.endsWith('='))
    throw new InvalidResponseError(`the last line is incomplete: line ${lineNumber}, ${shown(lastLine)}`);
  const message = unreadable.message();
  if (unreadable.isEvery()) throw new InvalidResponseError(`${message}`);
  return {
    rows,
    skipped,
    suspicion: suspicionOf(checks, { rows: rows.length, message, isOutOfOrder, lastFiledAt }),
    unreadable: message,
    isBroken: unreadable.isBroken(),
    incompleteDays: [...incompleteDays],
    lastFiledAt,
  };
}

type ReadRows = {
  readonly rows: number;
  /** Which lines cannot be read. */
  readonly message: string | undefined;
  readonly isOutOfOrder: boolean;
  readonly lastFiledAt: number;
};

function suspicionOf(
  { window, maxSilenceSeconds, isInOrderOfTime }: ResponseChecks,
  { rows, message, isOutOfOrder, lastFiledAt }: ReadRows,
): string | undefined {
  if (maxSilenceSeconds === undefined) return undefined;
  if (message !== undefined) return 'unreadable rows';
  if (isInOrderOfTime && isOutOfOrder) return 'rows out of order';
  if (rows === 0) return 'no reports';
  return lastFiledAt < Math.min(window.to, Date.now() / 1000) - maxSilenceSeconds
    ? `no rows after ${new Date(lastFiledAt * 1000).toISOString()}`
    : undefined;
}
