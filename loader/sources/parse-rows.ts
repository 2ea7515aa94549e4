import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { type Day, dayOf } from '../../clickhouse/model/day.ts';
import { ICAO_CODE } from '../../clickhouse/model/report.ts';
import { isWithin, type TimeWindow } from '../../clickhouse/model/time-window.ts';
import { forEachLine } from './body.ts';
import {
  type Body,
  InvalidResponseError,
  type ParsedBody,
  type SkipCounts,
  type SkipReason,
  type Slice,
  type SourceRow,
  skip,
  WRONG_STATION,
} from './source.ts';

/** The source holds a report that cannot be read: its day is not done (D13). */
export const CUT_SHORT = 'cut short';
/** The line is none of the format: a response with many such lines is no response. */
export const UNREADABLE_ROW = 'unreadable row';

/** A line that holds no report, as far as it can be read. */
export type SkippedRow = Partial<Pick<SourceRow, 'station' | 'filedAt'>> & { readonly reason: SkipReason };

/** Parses one line of a format; `undefined` where it is a comment. The station of a row may be any text. */
export type RowParser = (line: string) => SourceRow | SkippedRow | undefined;

/** A format of lines with one report each, in a response or in a file. */
export type RowFormat = {
  /** For messages: `rows of station, valid, metar`. */
  readonly name: string;
  /** Returns the parser of the lines that follow; `undefined` where `line` does not begin a body of this format. */
  readonly open: (line: string) => RowParser | undefined;
  /** Whether the line that `open` has accepted holds a report itself: the format has no header, or may lack it. */
  readonly isRow?: (line: string) => boolean;
};

/** A format of files that are read as a whole. */
export type BinaryFormat = {
  /** Of a file after decompression. */
  readonly maxBytes: number;
  readonly isStart: (bytes: Buffer) => boolean;
  /** Throws `InvalidResponseError` where the file is damaged. */
  readonly rows: (file: Buffer) => Iterable<SourceRow | SkippedRow>;
};

/** What a complete response to a slice is like. */
type ResponseChecks = {
  /** The times of the requested rows, seconds `[from, to)`. */
  readonly window: TimeWindow;
  readonly maxRows: number;
  /** Throws where the line is an error text of the source. */
  readonly throwIfErrorText?: (line: string) => void;
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
    const { filedAt, station } = row;
    if (filedAt !== undefined && !isWithin(filedAt, window)) skip(skipped, 'outside the window');
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
  let parse: RowParser | undefined;
  let lineCount = 0;
  let lastFiledAt = window.from;
  let isOutOfOrder = false;
  let lastLine = '';
  const unexpected = (line: string) =>
    new InvalidResponseError(`expected ${format.name}; found ${JSON.stringify(line.slice(0, 80))}`);

  const isEnded = await forEachLine(body, (line) => {
    checks.throwIfErrorText?.(line);
    lastLine = line;
    // Only a page of HTML has such a line, whatever its other lines are.
    if (line.startsWith('<')) throw unexpected(line);
    if (parse === undefined) {
      if (line === '' || line.startsWith('#')) return;
      parse = format.open(line);
      if (parse === undefined) throw unexpected(line);
      if (!format.isRow?.(line)) return;
    }
    const row = parse(line);
    if (row === undefined) return;
    lineCount += 1;
    if (row.filedAt !== undefined) {
      isOutOfOrder ||= row.filedAt < lastFiledAt;
      lastFiledAt = Math.max(lastFiledAt, row.filedAt);
    }
    add(row);
  });
  if (parse === undefined) throw new InvalidResponseError('an empty body');
  if (!isEnded && !lastLine.endsWith('=')) throw new InvalidResponseError('the last line is incomplete');
  const unreadable = skipped[UNREADABLE_ROW] ?? 0;
  if (unreadable > lineCount / 2)
    throw new InvalidResponseError(`${unreadable} of ${lineCount} lines cannot be read`);

  return { rows, skipped, suspicion: suspect(), incompleteDays: [...incompleteDays] };

  function suspect(): string | undefined {
    const { maxSilenceSeconds, isInOrderOfTime } = checks;
    if (maxSilenceSeconds === undefined) return undefined;
    if (unreadable > 0) return 'unreadable rows';
    if (isInOrderOfTime && isOutOfOrder) return 'rows out of order';
    if (rows.length === 0) return 'no reports';
    return lastFiledAt < Math.min(window.to, Date.now() / 1000) - maxSilenceSeconds
      ? `no rows after ${new Date(lastFiledAt * 1000).toISOString()}`
      : undefined;
  }
}
