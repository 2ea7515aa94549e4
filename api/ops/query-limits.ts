import { storageFailure } from '../../clickhouse/errors.ts';
import { Problem, retryAfter } from '../problem.ts';
import { CircuitOpenError } from './circuit-breaker.ts';
import { createConcurrencyLimiter, QueueFullError } from './concurrency-limiter.ts';
import type { Check } from './storage-breaker.ts';
import { createStorageBreaker } from './storage-breaker.ts';

/** Runs queries within the limits, and turns failures of the storage into problems. */
export type RunQuery = <T>(
  work: (signal: AbortSignal) => Promise<T>,
  client: QueryClient,
  /** The most records that the result can have. */
  records: number,
) => Promise<T>;

/**
 * Opens a stream within the limits of a query, and sends it for as long as its client reads: streams have permits of
 * their own, which they need until they are sent.
 */
export type RunStream = <T>(
  open: (signal: AbortSignal) => Promise<T>,
  send: (opened: T) => Promise<void>,
  client: QueryClient,
) => Promise<void>;

/**
 * Runs a query that no request has asked for yet, if at this moment a permit stays free beside it. Its failures are not
 * reported: the request that needs the result runs the query again.
 */
export type RunIfIdle = (
  work: (signal: AbortSignal) => Promise<unknown>,
  /** The id of the key that will need the result. */
  key: string,
  records: number,
) => void;

export type QueryRunners = {
  readonly runQuery: RunQuery;
  readonly runIfIdle: RunIfIdle;
  readonly runStream: RunStream;
};

/** The client that waits for a query. */
export type QueryClient = {
  /** The id of its key. Requests of different keys take turns. */
  readonly key: string;
  /** Length of the path and query string of its request. */
  readonly length: number;
  /** Aborts when it disconnects. */
  readonly disconnected: AbortSignal;
};

export type QueryLimits = {
  readonly queriesAtOnce: number;
  readonly streamsAtOnce: number;
  readonly queryTimeoutSeconds: number;
};

/** A client waits no longer than this (D40). */
const QUEUE_TIMEOUT_MS = 5000;

/** What the requests that wait may need in memory. */
const MAX_QUEUED_BYTES = 32 * 1024 * 1024;
/** Estimated memory of a request that waits, with its connection: a constant, and a multiple of its length. */
const BYTES_PER_REQUEST = 16 * 1024;
const BYTES_PER_CHARACTER = 16;

/** A page of 10,000 records needs two permits: some 4 MB of it are in memory several times while it is built. */
const RECORDS_PER_PERMIT = 5000;

/** @param probe the cheapest statement: tells a slow query from a storage that does not respond */
export function limitQueries(
  { queriesAtOnce, streamsAtOnce, queryTimeoutSeconds }: QueryLimits,
  probe: Check,
): QueryRunners {
  const queue = { maxQueuedBytes: MAX_QUEUED_BYTES, queueTimeoutMs: QUEUE_TIMEOUT_MS };
  const queries = createConcurrencyLimiter({ ...queue, permits: queriesAtOnce });
  const streams = createConcurrencyLimiter({ ...queue, permits: streamsAtOnce, permitsPerClient: 1 });
  const breaker = createStorageBreaker(probe);

  /** @param limit waits for permits, then runs the query */
  async function run<T>(
    limit: (query: () => Promise<T>, cancelled: AbortSignal) => Promise<T>,
    work: (signal: AbortSignal) => Promise<T>,
    disconnected: AbortSignal,
  ): Promise<T> {
    const deadline = new AbortController();
    let startedAt = 0;
    // The time limit starts with the query, because time in the queue does not count, and ends with it.
    const query = async (cancelled: AbortSignal) => {
      startedAt = performance.now();
      const expire = () => deadline.abort(new DOMException('The query took too long', 'TimeoutError'));
      const timer = setTimeout(expire, queryTimeoutSeconds * 1000);
      try {
        return await work(AbortSignal.any([deadline.signal, cancelled]));
      } finally {
        clearTimeout(timer);
      }
    };
    try {
      return await breaker.run((circuitOpened) => {
        const cancelled = AbortSignal.any([disconnected, circuitOpened]);
        return limit(() => query(cancelled), cancelled);
      });
    } catch (error) {
      if (!deadline.signal.aborted || error instanceof CircuitOpenError) throw toQueryProblem(error);
      throw (await breaker.hasRespondedSince(startedAt)) ? queryTimeout(error) : unavailable(error);
    }
  }

  return {
    runQuery(work, client, records) {
      const claim = { ...claimOf(client), permits: permitsFor(records) };
      return run((query, cancelled) => queries.run(query, claim, cancelled), work, client.disconnected);
    },
    runIfIdle(work, key, records) {
      const claim = { client: key, bytes: 0, permits: permitsFor(records) };
      const query = (run: () => Promise<unknown>) => queries.runNow(run, claim);
      // Only the time limit and the circuit breaker end it.
      run(query, work, new AbortController().signal).catch(() => {});
    },
    async runStream(open, send, client) {
      let release = () => {};
      const acquireAndOpen = async <T>(query: () => Promise<T>, cancelled: AbortSignal) => {
        release = await streams.acquire({ ...claimOf(client), permits: 1 }, cancelled);
        return query();
      };
      try {
        await send(await run(acquireAndOpen, open, client.disconnected));
      } finally {
        release();
      }
    },
  };
}

function permitsFor(records: number): number {
  return Math.ceil(records / RECORDS_PER_PERMIT);
}

function claimOf({ key, length }: QueryClient) {
  return { client: key, bytes: BYTES_PER_REQUEST + length * BYTES_PER_CHARACTER };
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
