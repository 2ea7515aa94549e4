import { LoopTurns } from '../../clickhouse/concurrency/loop-turns.ts';
import { storageFailure } from '../../clickhouse/errors.ts';
import { Problem, retryAfter } from '../problem.ts';
import { CircuitOpenError } from './circuit-breaker.ts';
import { FairLimiter, type Lease, QueueFullError } from './fair-limiter.ts';
import type { Metrics } from './metrics.ts';
import {
  MAX_QUEUED_BYTES,
  overloaded,
  QUEUE_TIMEOUT_MS,
  queuedBytesOf,
  type Reservation,
  type ResponseMemory,
  type Waiter,
} from './response-memory.ts';
import type { Check } from './storage-breaker.ts';
import { createStorageBreaker } from './storage-breaker.ts';

/** The client that waits for a query. */
export type QueryClient = Waiter & {
  /** Aborts when it disconnects. */
  readonly disconnected: AbortSignal;
  /** The memory of its response. */
  readonly memory: Reservation;
};

type Work<T> = (signal: AbortSignal) => Promise<T>;

/** Runs a query within the limits, and turns failures of the storage into problems. */
export type RunQuery = <T>(
  work: Work<T>,
  client: QueryClient,
  /** What the response may need in memory until it is sent. */
  bytes: number,
) => Promise<T>;

/**
 * Opens a stream within the limits of a query, and sends it for as long as its client reads: streams have permits of
 * their own, which they need until they are sent.
 */
export type RunStream = <T>(
  open: Work<T>,
  send: (opened: T) => Promise<void>,
  client: QueryClient,
) => Promise<void>;

/**
 * Runs a query that no request needs yet, if at this moment a permit and memory stay free beside it. Its failures
 * are not reported: the request that needs the result runs the query again.
 */
export type RunIfIdle = (work: Work<unknown>, key: string, bytes: number) => void;

export type QueryRunners = {
  readonly runQuery: RunQuery;
  readonly runIfIdle: RunIfIdle;
  readonly runStream: RunStream;
};

export type QueryLimits = {
  readonly queriesAtOnce: number;
  readonly streamsAtOnce: number;
  readonly queryTimeoutSeconds: number;
};

/** So long may a request wait for a query that has waited for memory before. */
const GRACE_MS = 1000;

const NEVER = new AbortController().signal;

/** @param probe the cheapest statement: tells a slow query from a storage that does not respond */
export function limitQueries(
  { queriesAtOnce, streamsAtOnce, queryTimeoutSeconds }: QueryLimits,
  memory: ResponseMemory,
  probe: Check,
  addMetric: Metrics['add'],
): QueryRunners {
  const queue = { maxQueuedBytes: MAX_QUEUED_BYTES, queueTimeoutMs: QUEUE_TIMEOUT_MS };
  const queries = new FairLimiter({
    ...queue,
    permits: queriesAtOnce,
    // While another client waits, one has at most all permits but one (D40).
    permitsOfClient: ({ waiting }) => (waiting > 0 ? queriesAtOnce - 1 : queriesAtOnce),
  });
  const streams = new FairLimiter({ ...queue, permits: streamsAtOnce, permitsOfClient: () => 1 });
  const breaker = createStorageBreaker(probe);
  // A query of a thousand stations computes for some milliseconds before its statement is sent.
  const turns = new LoopTurns();
  measure(queries, addMetric);

  /**
   * Waits for a permit, then runs the work. The permit stays in use until it is released.
   *
   * @param acquire waits for the permit
   */
  async function start<T>(
    acquire: (cancelled: AbortSignal) => Promise<Lease>,
    work: Work<T>,
    disconnected: AbortSignal,
  ): Promise<{ readonly result: T; release(): void }> {
    const deadline = new AbortController();
    const expire = () => deadline.abort(new DOMException('The query took too long', 'TimeoutError'));
    let startedAt = 0;
    try {
      return await breaker.run(async (circuitOpened) => {
        const cancelled = AbortSignal.any([disconnected, circuitOpened]);
        const { release } = await acquire(cancelled);
        // The time limit starts with the query, because time in the queue does not count, and ends with it.
        startedAt = performance.now();
        const timer = setTimeout(expire, queryTimeoutSeconds * 1000);
        try {
          await turns.take();
          return { result: await work(AbortSignal.any([deadline.signal, cancelled])), release };
        } catch (error) {
          release();
          throw error;
        } finally {
          clearTimeout(timer);
        }
      });
    } catch (error) {
      if (!deadline.signal.aborted || error instanceof CircuitOpenError) throw toQueryProblem(error);
      throw (await breaker.hasRespondedSince(startedAt)) ? queryTimeout(error) : unavailable(error);
    }
  }

  return {
    async runQuery(work, client, bytes) {
      const acquire = async (cancelled: AbortSignal) => {
        await client.memory.reserve(bytes, cancelled);
        // Whose memory came late has a moment for the query too: else it would give the memory back unused.
        const since = Math.max(client.memory.since, performance.now() - QUEUE_TIMEOUT_MS + GRACE_MS);
        return queries.acquire({ ...claimOf(client), since }, cancelled);
      };
      const { result, release } = await start(acquire, work, client.disconnected);
      release();
      return result;
    },
    runIfIdle(work, key, bytes) {
      const query = queries.acquireIfIdle({ client: key, bytes: 0, permits: 1 });
      const reserved = query && memory.reserveIfIdle(key, bytes);
      const release = () => {
        query?.release();
        reserved?.release();
      };
      if (query === undefined || reserved === undefined) return release();
      // Only the time limit and the circuit breaker end it.
      start(async () => query, work, NEVER).then(release, release);
    },
    async runStream(open, send, client) {
      const acquire = (cancelled: AbortSignal) => streams.acquire(claimOf(client), cancelled);
      const { result, release } = await start(acquire, open, client.disconnected);
      try {
        await send(result);
      } finally {
        release();
      }
    },
  };
}

function claimOf(client: QueryClient) {
  return { client: client.key, bytes: queuedBytesOf(client), permits: 1, since: client.memory.since };
}

function measure(queries: FairLimiter, addMetric: Metrics['add']): void {
  addMetric({
    kind: 'gauge',
    name: 'history_queries_running',
    help: 'Queries of the archive that run, for requests or ahead of them.',
    read: () => queries.inUse,
  });
  addMetric({
    kind: 'gauge',
    name: 'history_queries_waiting',
    help: 'Requests that wait until they may query the archive.',
    read: () => queries.waiting,
  });
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

function queryTimeout(cause: unknown): Problem {
  return new Problem('query_timeout', 'The query took too long: ask for fewer stations or a shorter range.', {
    cause,
  });
}
