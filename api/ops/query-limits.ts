import { storageFailure } from '../../clickhouse/errors.ts';
import { Problem, retryAfter } from '../problem.ts';
import { CircuitOpenError } from './circuit-breaker.ts';
import type { Metrics } from './metrics.ts';
import { type Leave, overloaded, QueuedRequest, QueueFullError, type RequestQueue } from './request-queue.ts';
import type { Check } from './storage-breaker.ts';
import { createStorageBreaker } from './storage-breaker.ts';

type Work<T> = (signal: AbortSignal) => Promise<T>;

const NEVER = new AbortController().signal;

/** Runs archive queries once their requests have a place, and turns storage failures into problems. */
export class ArchiveQueries {
  readonly #queue: RequestQueue;
  readonly #timeoutSeconds: number;
  readonly #breaker: ReturnType<typeof createStorageBreaker>;

  /** @param probe the cheapest statement: tells a slow query from a storage that does not respond */
  constructor(queue: RequestQueue, timeoutSeconds: number, probe: Check, addMetric: Metrics['add']) {
    this.#queue = queue;
    this.#timeoutSeconds = timeoutSeconds;
    this.#breaker = createStorageBreaker(probe);
    measure(queue, addMetric);
  }

  /**
   * Runs a query. A long one takes the place of a stream.
   *
   * @param bytes what the response may need in memory until it is sent
   */
  async runQuery<T>(
    work: Work<T>,
    client: QueuedRequest,
    bytes: number,
    place: 'query' | 'stream' = 'query',
  ): Promise<T> {
    const enter = (cancelled: AbortSignal) => client.enter(place, bytes, cancelled);
    const { result, leave } = await this.#start(enter, work, client.disconnected);
    leave();
    return result;
  }

  /**
   * Runs a query that no request needs yet, if that leaves places and memory for others. Its failures are not reported:
   * the request that needs the result runs the query again.
   */
  runIfIdle(work: Work<unknown>, key: string, bytes: number): void {
    const ahead = new QueuedRequest(this.#queue, key, 0, NEVER);
    const leave = this.#queue.enterIfIdle(ahead, bytes);
    if (leave === undefined) return;
    const end = () => {
      leave();
      ahead.end();
    };
    // Only the time limit and the circuit breaker end it.
    this.#start(async () => leave, work, NEVER).then(end, end);
  }

  /** Opens a stream within the time limit of a query, and sends it for as long as its client reads. */
  async runStream<T>(
    open: Work<T>,
    send: (opened: T) => Promise<void>,
    client: QueuedRequest,
  ): Promise<void> {
    const enter = (cancelled: AbortSignal) => client.enter('stream', 0, cancelled);
    const { result, leave } = await this.#start(enter, open, client.disconnected);
    try {
      await send(result);
    } finally {
      leave();
    }
  }

  /** Waits for a place, then runs the work. The place stays taken until the work leaves it. */
  async #start<T>(
    enter: (cancelled: AbortSignal) => Promise<Leave>,
    work: Work<T>,
    disconnected: AbortSignal,
  ): Promise<{ readonly result: T; readonly leave: Leave }> {
    const deadline = new AbortController();
    const expire = () => deadline.abort(new DOMException('The query took too long', 'TimeoutError'));
    let startedAt = 0;
    try {
      return await this.#breaker.run(async (circuitOpened) => {
        const cancelled = AbortSignal.any([disconnected, circuitOpened]);
        const leave = await enter(cancelled);
        // The time limit starts and ends with the query: time in the queue does not count.
        startedAt = performance.now();
        const timer = setTimeout(expire, this.#timeoutSeconds * 1000);
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
      throw (await this.#breaker.hasRespondedSince(startedAt)) ? queryTimeout(error) : unavailable(error);
    }
  }
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
