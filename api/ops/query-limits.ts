import { storageFailure } from '../../clickhouse/errors.ts';
import { Problem, retryAfter } from '../http/problem.ts';
import { CircuitOpenError } from './circuit-breaker.ts';
import { createConcurrencyLimiter, QueueFullError } from './concurrency-limiter.ts';
import type { Check } from './health.ts';
import { createStorageBreaker } from './storage-breaker.ts';

/** Runs queries within the limits, and turns failures of the storage into problems. */
export type RunQuery = <T>(
  work: (signal: AbortSignal) => Promise<T>,
  origin: QueryOrigin,
  /** The most records that the result can have. */
  records: number,
) => Promise<T>;

/** The request of a query. */
export type QueryOrigin = {
  /** The id of its key. Requests of different keys take turns. */
  readonly client: string;
  /** Length of its path and query string. */
  readonly length: number;
  /** Aborts when the client disconnects. */
  readonly disconnected: AbortSignal;
};

export type QueryLimits = { readonly queriesAtOnce: number; readonly queryTimeoutSeconds: number };

/** A client waits no longer than this (D40). */
const QUEUE_TIMEOUT_MS = 5000;

/** What the requests that wait may need in memory. */
const MAX_QUEUED_BYTES = 32 * 1024 * 1024;
/** Estimated memory of a request that waits, with its connection: a constant, and a multiple of its length. */
const BYTES_PER_REQUEST = 16 * 1024;
const BYTES_PER_CHARACTER = 16;

/** A page of 10,000 records needs two permits: some 4 MB of it are in memory several times while it is built. */
const RECORDS_PER_PERMIT = 5000;

const NO_DEADLINE = new AbortController().signal;

/** @param probe the cheapest statement: tells a slow query from a storage that does not respond */
export function limitQueries({ queriesAtOnce, queryTimeoutSeconds }: QueryLimits, probe: Check): RunQuery {
  const limiter = createConcurrencyLimiter({
    permits: queriesAtOnce,
    maxQueuedBytes: MAX_QUEUED_BYTES,
    queueTimeoutMs: QUEUE_TIMEOUT_MS,
  });
  const breaker = createStorageBreaker(probe);
  return async (work, { client, length, disconnected }, records) => {
    const bytes = BYTES_PER_REQUEST + length * BYTES_PER_CHARACTER;
    const claim = { client, bytes, permits: Math.ceil(records / RECORDS_PER_PERMIT) };
    // The time limit starts with the query; time in the queue does not count.
    let started = { at: 0, deadline: NO_DEADLINE };
    const query = (cancelled: AbortSignal) => {
      started = { at: performance.now(), deadline: AbortSignal.timeout(queryTimeoutSeconds * 1000) };
      return work(AbortSignal.any([started.deadline, cancelled]));
    };
    try {
      return await breaker.run((circuitOpened) => {
        const cancelled = AbortSignal.any([disconnected, circuitOpened]);
        return limiter.run(() => query(cancelled), claim, cancelled);
      });
    } catch (error) {
      if (!started.deadline.aborted || error instanceof CircuitOpenError) throw toQueryProblem(error);
      throw (await breaker.hasRespondedSince(started.at)) ? queryTimeout(error) : unavailable(error);
    }
  };
}

function toQueryProblem(cause: unknown): unknown {
  if (cause instanceof QueueFullError) return overloaded(cause);
  if (cause instanceof CircuitOpenError) return unavailable(cause);
  switch (storageFailure(cause)) {
    case 'unavailable':
      return unavailable(cause);
    case 'overloaded':
      return overloaded(cause);
    case 'timeout':
      return queryTimeout(cause);
    case 'unknown':
      return cause;
  }
}

function unavailable(cause: unknown): Problem {
  return new Problem('storage_unavailable', 'The archive cannot be read at the moment.', {
    headers: retryAfter(2000),
    cause,
  });
}

function overloaded(cause: unknown): Problem {
  return new Problem('overloaded', 'Too many queries are running.', { headers: retryAfter(1000), cause });
}

function queryTimeout(cause: unknown): Problem {
  return new Problem('query_timeout', 'The query took too long: ask for fewer stations or a shorter range.', {
    cause,
  });
}
