import { storageFailure } from '../../clickhouse/errors.ts';
import { Problem, retryAfter } from '../problem.ts';
import { CircuitOpenError } from './circuit-breaker.ts';
import type { Metrics } from './metrics.ts';
import { type Leave, overloaded, QueuedRequest, QueueFullError, type RequestQueue } from './request-queue.ts';
import type { Check } from './storage-breaker.ts';
import { createStorageBreaker } from './storage-breaker.ts';

type Work<T> = (signal: AbortSignal) => Promise<T>;

/**
 * Runs a query when the request has a place for it, and turns failures of the storage into problems. A query that takes
 * long has the place of a stream.
 *
 * @param bytes what the response may need in memory until it is sent
 */
export type RunQuery = <T>(
  work: Work<T>,
  client: QueuedRequest,
  bytes: number,
  place?: 'query' | 'stream',
) => Promise<T>;

/** Opens a stream within the time limit of a query, and sends it for as long as its client reads. */
export type RunStream = <T>(
  open: Work<T>,
  send: (opened: T) => Promise<void>,
  client: QueuedRequest,
) => Promise<void>;

/**
 * Runs a query that no request needs yet, if places and memory stay free for others. Its failures are not reported: the
 * request that needs the result runs the query again.
 */
export type RunIfIdle = (work: Work<unknown>, key: string, bytes: number) => void;

export type QueryRunners = {
  readonly runQuery: RunQuery;
  readonly runIfIdle: RunIfIdle;
  readonly runStream: RunStream;
};

const NEVER = new AbortController().signal;

/** @param probe the cheapest statement: tells a slow query from a storage that does not respond */
export function limitQueries(
  queue: RequestQueue,
  timeoutSeconds: number,
  probe: Check,
  addMetric: Metrics['add'],
): QueryRunners {
  const breaker = createStorageBreaker(probe);
  measure(queue, addMetric);

  /** Waits for a place, then runs the work. The place is taken until it is left. */
  async function start<T>(
    enter: (cancelled: AbortSignal) => Promise<Leave>,
    work: Work<T>,
    disconnected: AbortSignal,
  ): Promise<{ readonly result: T; readonly leave: Leave }> {
    const deadline = new AbortController();
    const expire = () => deadline.abort(new DOMException('The query took too long', 'TimeoutError'));
    let startedAt = 0;
    try {
      return await breaker.run(async (circuitOpened) => {
        const cancelled = AbortSignal.any([disconnected, circuitOpened]);
        const leave = await enter(cancelled);
        // The time limit starts with the query, because time in the queue does not count, and ends with it.
        startedAt = performance.now();
        const timer = setTimeout(expire, timeoutSeconds * 1000);
        try {
          return { result: await work(AbortSignal.any([deadline.signal, cancelled])), leave };
        } catch (error) {
          leave();
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
    async runQuery(work, client, bytes, place = 'query') {
      const enter = (cancelled: AbortSignal) => client.enter(place, bytes, cancelled);
      const { result, leave } = await start(enter, work, client.disconnected);
      leave();
      return result;
    },
    runIfIdle(work, key, bytes) {
      const ahead = new QueuedRequest(queue, key, 0, NEVER);
      const leave = queue.enterIfIdle(ahead, bytes);
      if (leave === undefined) return;
      const end = () => {
        leave();
        ahead.end();
      };
      // Only the time limit and the circuit breaker end it.
      start(async () => leave, work, NEVER).then(end, end);
    },
    async runStream(open, send, client) {
      const enter = (cancelled: AbortSignal) => client.enter('stream', 0, cancelled);
      const { result, leave } = await start(enter, open, client.disconnected);
      try {
        await send(result);
      } finally {
        leave();
      }
    },
  };
}

function measure(queue: RequestQueue, addMetric: Metrics['add']): void {
  addMetric({
    kind: 'gauge',
    name: 'history_queries_running',
    help: 'Queries of the archive that run, for requests or ahead of them.',
    read: () => queue.queries,
  });
  addMetric({
    kind: 'gauge',
    name: 'history_requests_waiting',
    help: 'Requests that wait for a place or for memory.',
    read: () => queue.waiting,
  });
  addMetric({
    kind: 'gauge',
    name: 'history_response_memory_bytes',
    help: 'Memory that responses hold.',
    read: () => queue.bytes,
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
