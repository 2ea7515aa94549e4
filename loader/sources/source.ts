import type { Listing } from '../../clickhouse/coverage/station-listings.ts';
import type { Day } from '../../clickhouse/model/day.ts';
import type { ReportType, Source } from '../../clickhouse/model/report.ts';
import type { SkipCounts, SkipReason } from '../pipeline/skip-reasons.ts';

/** One piece of work: the days `[firstDay, endDay)` of one station, or one day of every station. */
export type Slice = {
  readonly source: Source;
  /** ICAO code, or `EVERY_STATION`. */
  readonly station: string;
  readonly firstDay: Day;
  /** Within the calendar year of the first day, or the next New Year. */
  readonly endDay: Day;
};

/** A row as a source sent it. */
export type SourceRow = {
  readonly station: string;
  /** The time under which the source filed it, seconds since 1970-01-01T00:00:00Z. */
  readonly filedAt: number;
  readonly text: string;
  /** Where the source's format tells it beside the text. */
  readonly type?: ReportType;
};

/** One line of a source's format, or why it is no report. */
export type RowParser = (line: string) => SourceRow | SkipReason;

export type ParsedBody = {
  readonly rows: readonly SourceRow[];
  readonly skipped: SkipCounts;
  /** Where more was asked for than the slice: reports observed outside it belong to others. */
  readonly observedWithin?: { readonly from: number; readonly to: number };
  /** Why this might not be all there is. It is believed all the same when a second answer holds the same rows. */
  readonly suspicion?: string;
};

export type SourceRequest = {
  readonly url: string;
  /** A 404 says that the source holds nothing here, instead of being a fault. */
  readonly mayBeAbsent?: true;
};

export type Body = AsyncIterable<Uint8Array>;

/** What a host asks of its guests. */
export type RateLimit = {
  /** Seconds between the starts of two requests, unless the operator says otherwise. */
  readonly intervalSeconds: number;
  /** Requests under way at once. */
  readonly parallel: number;
};

/**
 * Where a source tells which stations it carries, and since when. `by station`: asked for each station, a hint that
 * spares requests. `whole`: one list, without which no request can be made.
 */
export type StationDirectory =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'per station';
      readonly request: (station: string) => SourceRequest;
      readonly parse: (body: Body, station: string) => Promise<readonly Listing[]>;
    }
  | {
      readonly kind: 'all stations';
      readonly request: SourceRequest;
      readonly parse: (body: Body) => Promise<readonly Listing[]>;
    };

/** A source that answers requests. Adding one is a file like `iem.ts` and a line in `registry.ts`. */
export type RemoteSource = {
  readonly kind: 'remote';
  readonly source: Source;
  readonly rateLimit: RateLimit;
  /** It can be asked for a day of every station. */
  readonly givesAllStations: boolean;
  /** The first day that it will never hold, where it has come to an end. */
  readonly endDay?: Day;
  readonly requests: (slice: Slice) => readonly SourceRequest[];
  /** Throws `InvalidResponseError` when the body is no answer at all. */
  readonly parse: (body: Body, slice: Slice) => Promise<ParsedBody>;
  readonly stationDirectory: StationDirectory;
};

/** A source that needs no network. */
export type LocalSource = {
  readonly kind: 'local';
  readonly source: Source;
  readonly givesAllStations: false;
  readonly generate: (slice: Slice) => ParsedBody;
  readonly listing: (station: string) => Listing;
};

export type SourceAdapter = RemoteSource | LocalSource;

/** The body is no answer, whatever its status said: an error text, a page for people, half an answer. Asked again. */
export class InvalidResponseError extends Error {
  override readonly name = 'InvalidResponseError';
}

/** The source answers, whatever the status, that it will not answer this request however often it is asked. */
export class RejectedRequestError extends Error {
  override readonly name = 'RejectedRequestError';
}

/** A body that is small and read whole. */
export async function textOf(body: Body): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
