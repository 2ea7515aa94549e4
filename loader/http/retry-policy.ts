import { setTimeout } from 'node:timers/promises';
import { storageFailure } from '../../clickhouse/errors.ts';

/**
 * Every retry of the loader. Pauses are those at an interval of 2 s (IEM), with the largest random part; the test of this
 * file holds their sums.
 *
 * | what fails                       | tries                   | pauses, and their sum at most       | after the last try       |
 * | -------------------------------- | ----------------------- | ----------------------------------- | ------------------------ |
 * | a request                        | 8                       | 2 s doubling, 6.4 min               | the slice fails          |
 * | a request with `Retry-After`     | 8                       | as the source says, at most 1 h each | the slice fails         |
 * | a request for a period of record | 3                       | 2 s doubling, 9 s                   | the period is unknown    |
 * | no byte for 300 s, 20 min in all | one try of the request  |                                     |                          |
 * | more bytes or rows than a slice has, more than 5 redirects | one try of the request |           |                          |
 * | a response looks incomplete      | 5 responses             | none                                | the slice fails          |
 * | a slice looks incomplete         | 5 times all its requests | none                               | the slice fails          |
 * | a slice                          | 2 more rounds           | at the end of the run               | exit 3                   |
 * | a source: 8 failed tries in a row | 30 probes              | 5 min doubling to 1 h, 27.3 h       | no more requests, exit 3 |
 * | ClickHouse                       | 10                      | 0.5 s doubling, 5.1 min             | exit 4                   |
 *
 * So a request is sent at most 5 x 5 x 8 times in a round. A failed probe is not counted as a try of its request. A
 * rejected request (most of 4xx) is not retried. The second Ctrl-C ends every pause.
 */
export const REQUEST_ATTEMPTS = 8;
/** A period of record only saves requests, so few are made for it. */
export const METADATA_ATTEMPTS = 3;
export type TimeLimits = { readonly idleMs: number; readonly totalMs: number };

export const TIME_LIMITS: TimeLimits = {
  // From the request to the first byte, and between chunks. IEM computes for minutes before the first byte; no working
  // source pauses longer between two chunks.
  idleMs: 300_000,
  // From the request to the last byte. A day of all stations is estimated at 25 MB: 20 kB per second is enough.
  totalMs: 1_200_000,
};
/** A longer redirect chain is a loop. */
export const MAX_REDIRECTS = 5;
/** A source that asks for a longer wait, such as a week, has a wrong clock. */
const MAX_RETRY_AFTER_SECONDS = 3600;

/** After so many consecutive failures, of any requests, the source counts as unavailable. */
export const OUTAGE_AFTER_FAILURES = 8;
/** At an interval of 0 the probes take 5 minutes, at Ogimet's 60 s they take 54 hours. */
export const MAX_PROBES = 30;

/** Consecutive responses that look incomplete and differ. */
export const MAX_FETCHES = 5;
export const FAILED_SLICE_ROUNDS = 2;

export const STORAGE_ATTEMPTS = 10;
export const STORAGE_PAUSE_SECONDS = 0.5;

const MIN_PAUSE_SECONDS = 0.1;
const MIN_PROBE_PAUSE_SECONDS = 1;
/** The longest backoff and the first pause of an outage: 150 intervals, and never more than ten minutes. */
const MAX_PAUSE_INTERVALS = 150;
const MAX_PAUSE_SECONDS = 600;
const MAX_PROBE_PAUSES = 12;

/**
 * Seconds to wait after the `failures`-th failure in a row, counted from 1: doubles from the interval, and up to half
 * as much again at random, so that loaders do not retry at the same moment.
 */
export function backoffSeconds(failures: number, intervalSeconds: number, random: number = Math.random()) {
  const first = Math.max(MIN_PAUSE_SECONDS, intervalSeconds);
  const doubled = first * Math.min(MAX_PAUSE_INTERVALS, 2 ** (failures - 1));
  return Math.min(MAX_PAUSE_SECONDS, doubled * (1 + random / 2));
}

/** Seconds from a failed probe of an unavailable source to the next: doubles up to twelve times the first pause. */
export function probePauseSeconds(probes: number, intervalSeconds: number): number {
  const first = Math.min(
    MAX_PAUSE_SECONDS,
    Math.max(MIN_PROBE_PAUSE_SECONDS, intervalSeconds * MAX_PAUSE_INTERVALS),
  );
  return first * Math.min(MAX_PROBE_PAUSES, 2 ** probes);
}

/** A `Retry-After` header in seconds (RFC 9110, 10.2.3: a number of seconds or a date); `undefined` if unreadable. */
export function retryAfterSeconds(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(0, seconds));
}

/** Waiting between attempts: injected, so that a test can pass hours of an outage without waiting. */
export type Timer = {
  /** Milliseconds since an arbitrary fixed moment; monotonic. */
  readonly elapsedMs: () => number;
  /** Rejects if `signal` aborts first. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
};

export const SYSTEM_TIMER: Timer = {
  elapsedMs: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
};

/** Repeats work while ClickHouse restarts or is overloaded. The work must be repeatable at any point. */
export async function retryStorage<T>(work: () => Promise<T>, signal: AbortSignal, timer = SYSTEM_TIMER) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || attempt === STORAGE_ATTEMPTS || storageFailure(error) === 'unknown') throw error;
      await timer.sleep(backoffSeconds(attempt, STORAGE_PAUSE_SECONDS) * 1000, signal);
    }
  }
}
