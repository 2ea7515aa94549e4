import type { Listing } from '../../clickhouse/coverage/station-listings.ts';
import type { Day, DayRange, Lifetime } from '../../clickhouse/model/day.ts';
import type { Source } from '../../clickhouse/model/report.ts';
import { type TimeWindow, windowOfDays } from '../../clickhouse/model/time-window.ts';
import type { DescriptionRanks, StationDescription } from '../../clickhouse/stations.ts';
import type { RowFormat, SkipReason, SourceRow, WholeFileFormat } from './format.ts';

/** One unit of work: days of one station within a calendar year, or one day of all stations. */
export type Slice = DayRange & {
  readonly source: Source;
  /** ICAO code, or `ALL_STATIONS`. */
  readonly station: string;
  /** Set where only a part of these days is needed, at most 24 hours of the newest reports. It makes no day done. */
  readonly window?: TimeWindow;
};

export function windowOfSlice(slice: Slice): TimeWindow {
  return slice.window ?? windowOfDays(slice);
}

/** In characters; a longer text is no report, and the archive would serve it on every page with its hour. */
export const MAX_TEXT_LENGTH = 4000;

/** How far before the time of its row or bulletin a report can be observed, and how far after it (D86). */
export const LATEST_SECONDS = 48 * 3600;
export const EARLIEST_SECONDS = 3 * 3600;

/** The text states a time that is not near that of its row or bulletin (D86). */
export const OTHER_TIME: SkipReason = 'the text has another time';
/** The report was observed outside the requested times. */
export const OUTSIDE_WINDOW: SkipReason = 'outside the window';
/** The row is that of another station than the requested one, or its text is. */
export const WRONG_STATION: SkipReason = 'wrong station';
/** Neither METAR nor SPECI: a forecast, a SYNOP, a summary of the day. */
export const OTHER_KIND: SkipReason = 'another kind of report';

/** The names of other bulletins: forecasts, SYNOP, warnings, reports of pilots. They stand before or after the station. */
export const OTHER_BULLETIN = /^(?:\S+ ){0,3}?(?:TAF|AAXX|BBXX|OOXX|SIGMET|AIRMET|SNOWTAM|U?UA)(?: |$)/;

/** A text without its station and time is no report (D67). */
export const NO_STATION_AND_TIME: SkipReason = 'text without station and time';

export type SkipCounts = Record<SkipReason, number>;

export function skip(counts: SkipCounts, reason: SkipReason): void {
  counts[reason] = (counts[reason] ?? 0) + 1;
}

/** Reasons are in alphabetical order, so that all runs print them alike. */
export function addSkips(total: SkipCounts, counts: SkipCounts): void {
  for (const [reason, rows] of Object.entries(counts).sort(([a], [b]) => a.localeCompare(b)))
    total[reason] = (total[reason] ?? 0) + rows;
}

export type ParsedBody = {
  readonly rows: readonly SourceRow[];
  /** Counts of the lines that hold no report. */
  readonly skipped: SkipCounts;
  /** Set where the request covers more than the slice: a report observed outside is not part of the slice. */
  readonly observedWithin?: TimeWindow | undefined;
  /** The latest time of any row, seconds since 1970-01-01T00:00:00Z. */
  readonly lastFiledAt?: number | undefined;
  /** Why the body may be incomplete. It is accepted when a second response holds the same rows. */
  readonly suspicion?: string | undefined;
  /** Which rows cannot be read, for the user (D68). */
  readonly unreadable?: string | undefined;
  /** The last line or most of them cannot be read: the body is never accepted, however often it comes (D68). */
  readonly isBroken?: boolean;
  /** Days with a report at the source that cannot be read. They are not done after this load (D13). */
  readonly incompleteDays?: readonly Day[] | undefined;
};

export type SourceRequest = {
  readonly url: string;
  /** The size of the body after decompression: a larger body is no response to this request. */
  readonly maxBytes: number;
  /** Other hosts to which the source is known to redirect. */
  readonly redirectHosts?: readonly string[];
  /** Set where a 404 means that the source holds nothing for this request; elsewhere a 404 is an error. */
  readonly mayBeAbsent?: true;
  /** How long the response may take, where it is longer than of others. */
  readonly maxSeconds?: number;
};

export type Body = AsyncIterable<Uint8Array>;

export type RateLimit = {
  /** Seconds between the starts of two requests; `--interval` replaces it. */
  readonly intervalSeconds: number;
  /** Requests in progress at the same time, at most. */
  readonly parallel: number;
};

export type StationList = {
  readonly listings: readonly Listing[];
  readonly descriptions: readonly StationDescription[];
};

type StationListRequest = {
  readonly request: SourceRequest;
  readonly parse: (body: Body) => Promise<StationList>;
};

/** Calendar years of all stations, each as one tar archive, compressed with gzip, of files for `parse`. */
export type YearArchives = {
  readonly request: (year: number) => SourceRequest;
  /** If fewer stations lack days of a year, their own files are requested in place of the archive. */
  readonly minStations: number;
  /** Every station, once the list of stations is known. */
  readonly stations: () => readonly string[];
  readonly stationOf: (file: string) => string | undefined;
};

type SourceTraits = {
  readonly source: Source;
  /** The name in attribution texts; absent for bulletins, which have no single publisher: each weather service sends its own. */
  readonly publisher?: string;
  /** How faithful it is (D4), from 1 to 255: the archive keeps the text of the higher rank. It is stored, so it never changes. */
  readonly rank: number;
  /** Its format has the type next to the text, so no type is inferred. */
  readonly sendsTypes: boolean;
  /** The number of characters at which the source cuts texts. A cut text is replaced by a whole text from any source. */
  readonly textLimit?: number;
  /** Its formats, where `import` reads them. `stations`: ICAO codes by ISD station id. */
  readonly fileFormats?: (stations: ReadonlyMap<string, string>) => readonly RowFormat[];
  readonly wholeFileFormats?: readonly WholeFileFormat[];
  /** A list that describes many stations in one response: `npm run load -- fetch-stations` fetches it. */
  readonly descriptionList?: StationListRequest;
  /** Required where it lists stations. */
  readonly descriptionRanks?: DescriptionRanks;
};

/** A source that `--source` can name, with the days that it can have. */
type LoadableSource = Lifetime & {
  readonly rateLimit: RateLimit;
  /** Whether `--stations all` can be requested. `only`: every response holds all stations, so no single one can be. */
  readonly givesAllStations: boolean | 'only';
  /** Set where every response holds a whole calendar year: days that lie apart are then one slice. */
  readonly givesWholeYears?: true;
  /** The source adds rows of a day within this many days: until then a file proves only the days before its last row. */
  readonly growsForDays?: number;
  /** Makes `--stations all` possible where no response holds a day of all stations. */
  readonly yearArchives?: YearArchives;
  readonly requests: (slice: Slice) => readonly SourceRequest[];
  /** Its list of all stations, if no report can be requested without it. */
  readonly stationList?: StationListRequest;
  /** Whether that list, as it was last fetched, has the station. */
  readonly lists?: (station: string) => boolean;
  /** Lists that state the periods of record of these stations. Optional: they save requests outside the periods. */
  readonly periodLists?: (stations: readonly string[]) => readonly StationListRequest[];
};

/** A source that is read over HTTP. `registry.ts` says how to add one. */
export type RemoteSource = SourceTraits &
  LoadableSource & {
    readonly kind: 'remote';
    readonly publisher: string;
    /** Scheme and host of its requests. */
    readonly host: string;
    /** Rows of a slice, in all responses together: they are in memory until the slice is written. */
    readonly maxRows: number;
    /** Throws `InvalidResponseError` when the body is not a response of the format, or has more than `maxRows` rows. */
    readonly parse: (body: Body, slice: Slice, maxRows: number) => Promise<ParsedBody>;
  };

/** A source that computes its reports. */
export type LocalSource = SourceTraits &
  LoadableSource & {
    readonly kind: 'local';
    readonly generate: (slice: Slice) => ParsedBody;
    readonly list: (stations: readonly string[]) => StationList;
  };

/** A source of which only files and a list of stations are read, not reports over HTTP. */
export type FileSource = SourceTraits & { readonly kind: 'files' };

export type SourceAdapter = RemoteSource | LocalSource;

/** The body is not a complete response, whatever its status: an error text, an HTML page, a cut line. It is retried. */
export class InvalidResponseError extends Error {
  override readonly name = 'InvalidResponseError';
}

/** A file cannot be read to its end: it is damaged, or the system refuses it. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
}
