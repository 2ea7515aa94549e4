import type { DayRange } from '../../clickhouse/model/day.ts';
import type { ReportType, Source } from '../../clickhouse/model/report.ts';

export function keywordOf(text: string): ReportType | undefined {
  const [word] = /^(?:METAR|SPECI)(?= )/i.exec(text) ?? [];
  return word?.toUpperCase() as ReportType | undefined;
}

/** One row of a response that holds a report. */
export type SourceRow = {
  readonly station: string;
  /** The time that the source gives the row, seconds since 1970-01-01T00:00:00Z. The report may state another. */
  readonly filedAt: number;
  readonly text: string;
  /** Set where the format has the type in a column of its own. */
  readonly type?: ReportType | undefined;
  /** Set where the format has the place of the station next to its reports. */
  readonly place?: SentPlace | undefined;
  /** Set where the format states it: a record of an archive has its source next to it. */
  readonly source?: Source;
};

/** The values of a row as sent, of any kind: `toStationDescription` leaves out what cannot be true. */
export type SentPlace = {
  readonly latitude: unknown;
  readonly longitude: unknown;
  readonly elevation_m?: unknown;
  readonly name?: unknown;
};

/**
 * Why a row of a source is not a report of the slice, as a few words that users read. Every row that is dropped is
 * counted under its reason. A source has its own reasons in addition to shared ones.
 */
export type SkipReason = string;

/** A line without a report, as far as it can be read. */
export type SkippedRow = Partial<Pick<SourceRow, 'station' | 'filedAt'>> & { readonly reason: SkipReason };

/**
 * Parses one line of a format; `undefined` where it is a comment, or a part of a report that ends later. The station of a row
 * may be any text.
 */
export type RowParser = {
  (line: string): SourceRow | SkippedRow | undefined;
  /** At the end of the body, returns the report that no line has ended. */
  readonly end?: () => SourceRow | SkippedRow | undefined;
};

/** A format of lines, in a response or in a file. */
export type RowFormat = {
  /** For messages: `rows of station, valid, metar, with times such as 2024-01-31 12:51 in UTC`. */
  readonly name: string;
  /**
   * Returns the parser of the lines that follow; `undefined` where `line` does not begin a body of this format.
   *
   * @param days of the file, where its name or the user tells them: bulletins say no month
   */
  readonly open: (line: string, days?: DayRange) => RowParser | undefined;
  /** Whether the line that `open` has accepted holds a report itself: the format has no header, or may lack it. */
  readonly isRow?: (line: string) => boolean;
  /** Whether a last line without a line feed is whole: it ends a report or a quoted value unless this says otherwise. */
  readonly isWhole?: (line: string) => boolean;
  /** An empty line ends a report, so the parser gets it. */
  readonly hasEmptyLines?: true;
  /** Lines by which the source says, under any status, that it does not send the rest. */
  readonly errorText?: RegExp;
};

/** A format of files that are read as a whole. */
export type WholeFileFormat = {
  /** For messages, as that of `RowFormat`. */
  readonly name: string;
  /** The size of a file after decompression. */
  readonly maxBytes: number;
  /** Whether the first bytes of a file, some thousand where it has them, are of this format. */
  readonly isStart: (bytes: Buffer) => boolean;
  /** Throws `InvalidResponseError` where the file is damaged. */
  readonly rows: (file: Buffer) => Iterable<SourceRow | SkippedRow> | AsyncIterable<SourceRow | SkippedRow>;
  /** What the file says that it lacks, for the user. */
  readonly lacks?: (file: Buffer) => string | undefined;
};
