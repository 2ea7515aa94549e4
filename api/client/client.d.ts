import type {
  Coverage,
  DailyParameters,
  DailyRecord,
  Hour,
  HourlyParameters,
  MonthlyRecord,
  NormalsRecord,
  Observation,
  ObservationsPage,
  ObservationsParameters,
  Problem,
  StatisticsAnswer,
  StatisticsParameters,
} from './schemas.d.ts';

export type * from './schemas.d.ts';

export type RequestOptions = {
  readonly apiKey: string;
  /** Ends the request at once, with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /**
   * How often in a row one request is repeated after 502, 503 or a failed connection. Default: 7, which takes about a
   * minute. After 429 (the limit of the plan) the request waits and is repeated as often as the service asks.
   */
  readonly maxRetries?: number | undefined;
  /** Called before each wait for the limit of the plan. */
  readonly onWait?: ((seconds: number) => void) | undefined;
  /** Media types. Default: `application/json`. */
  readonly accept?: string | undefined;
  /** For browsers. `no-store`: the response is not cached; `no-cache`: it is revalidated each time. */
  readonly cache?: 'default' | 'no-store' | 'no-cache' | undefined;
};

type SendOptions = Omit<RequestOptions, 'accept' | 'cache'> & {
  /** Where the service is, such as `https://history.example.org`. */
  readonly baseUrl: string | URL;
};

/** `limit` is 10,000 unless it is given; `cursor` can be that of an earlier walk. */
export type WalkOptions = SendOptions & Omit<HourlyParameters, 'tz'>;

export type ObservationsOptions = WalkOptions & Omit<ObservationsParameters, keyof WalkOptions>;

export type HourlyOptions = WalkOptions & Pick<HourlyParameters, 'tz'>;

export type Page<Row> = Omit<ObservationsPage, 'data'> & { data: Row[] };

/** The records of a range, page by page. Each loop over a walk begins at its `cursor`. */
export type Walk<Row = Observation> = AsyncIterable<Row> & {
  /** How much of the request the archive holds. `undefined` before the first page; known before its records. */
  readonly coverage: Coverage | undefined;
  /**
   * Where another walk resumes this one. It is the start of the page whose records are being returned, so these are
   * returned again; `pages()` and `meta.nextCursor` resume without repeating records. `undefined` at the start and the
   * end of the range.
   */
  readonly cursor: string | undefined;
  /** The same records, one page at a time, as the service sends them. */
  pages(): AsyncGenerator<Page<Row>, void, undefined>;
};

/**
 * Walks over the reports of one or more stations, ordered by observation time, station and type: the oldest first, or with
 * `order: 'desc'` the newest.
 *
 * @example
 * const walk = observations({ baseUrl, apiKey, stations: ['KJFK'], from: '2024-01-01T00:00:00Z', to: new Date() });
 * for await (const record of walk) console.log(record.observedAt, record.raw);
 * console.log(walk.coverage?.status);
 */
export function observations(options: ObservationsOptions): Walk;

/** A `temp_c` or `dewp_c` of `-0` is below 0 °C (`M00`). JavaScript compares it as 0: test it with `Object.is(row.temp_c, -0)`. */
export type HourlyRow = Hour & { readonly [field: string]: unknown };

/**
 * Walks over the nominal hours of one or more stations, including hours without a report, ordered by hour and station.
 *
 * @example
 * for await (const row of hourly({ baseUrl, apiKey, stations: ['KJFK'], from, to, fields: ['temp_c'] })) console.log(row.hour, row.temp_c);
 */
export function hourly(options: HourlyOptions): Walk<HourlyRow>;

/** `from` and `to` are dates, as in `2024-01-31`; of normals, first days of months. */
export type DailyOptions = WalkOptions & Omit<DailyParameters, keyof WalkOptions>;

/**
 * Walks over the days of one or more stations, in standard time or UTC: by station and date.
 *
 * @example
 * const frosty = daily({ baseUrl, apiKey, stations: ['KJFK'], from: '2024-01-01', to: '2025-01-01', filter: 'min_temp_c < 0' });
 * for await (const day of frosty) console.log(day.date, day.min_temp_c);
 */
export function daily(options: DailyOptions): Walk<DailyRecord>;

/** Walks over the months of such days. */
export function monthly(options: DailyOptions): Walk<MonthlyRecord>;

/** Walks over the months of the mean year of each station, and the year. */
export function normals(options: DailyOptions): Walk<NormalsRecord>;

export type StatisticsOptions = SendOptions & StatisticsParameters;

/**
 * Requests statistics of reports or days, by station and groups.
 *
 * @example
 * const { data } = await statistics({ baseUrl, apiKey, stations: ['KJFK'], from, to, select: 'mean(temp_c)', by: 'month' });
 */
export function statistics(options: StatisticsOptions): Promise<StatisticsAnswer>;

/**
 * Sends one request to any endpoint of the service and repeats it while its failure may be temporary.
 *
 * @returns the response with status 200, as soon as its headers have arrived
 * @throws {ProblemError | TransportError} and the reason of the signal once it is aborted
 */
export function request(url: URL, options: RequestOptions): Promise<Response>;

/** The service refused the request. The message contains status, code, detail and every invalid parameter. */
export class ProblemError extends Error {
  constructor(problem: Problem, url: URL, retryAfterSeconds: number | undefined);
  /** URL of a page about this error. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** Never changes its meaning, such as `invalid_credentials`. */
  readonly code: Problem['code'];
  /** Quote it when you report an error. */
  readonly requestId: string;
  /** Each invalid parameter, with what to write instead. */
  readonly errors: NonNullable<Problem['errors']>;
  readonly retryAfterSeconds: number | undefined;
}

/** No response from the service: the connection failed, or something between client and service responded. */
export class TransportError extends Error {
  constructor(
    message: string,
    about?: { status?: number; retryAfterSeconds?: number | undefined; cause?: unknown },
  );
  /** `undefined` if there is no response. */
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;
}
