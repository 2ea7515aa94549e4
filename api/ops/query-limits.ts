import { type Archive, canceledBy } from '../../clickhouse/archive.ts';
import { storageFailure } from '../../clickhouse/errors.ts';
import { overloaded, Problem } from '../problem.ts';
import { CircuitOpenError, watchStorage } from './circuit-breakers.ts';
import { type PlaceKind, QueuedRequest, type RequestQueue } from './request-queue.ts';

export type Work<T> = (archive: Archive, signal: AbortSignal) => Promise<T>;

const NEVER = new AbortController().signal;

export type ArchiveQueries = ReturnType<typeof limitQueries>;

/** Queries of the archive, each with a place of the queue and a time limit. */
export function limitQueries(queue: RequestQueue, archive: Archive, timeoutSeconds: number) {
  const breaker = watchStorage(archive);

  /** Waits for a place, then runs the work. The caller gives the place back, unless the work fails. */
  async function start<T>(work: Work<T>, client: QueuedRequest, bytes: number, place: PlaceKind): Promise<T> {
    const deadline = new AbortController();
    const expire = () => deadline.abort(new DOMException('The query took too long', 'TimeoutError'));
    let startedAt = 0;
    try {
      return await breaker.run(async (circuitOpened) => {
        const cancelled = AbortSignal.any([client.disconnected, circuitOpened]);
        await client.enter(place, bytes, cancelled);
        // The time limit starts and ends with the query: time in the queue does not count.
        startedAt = performance.now();
        const timer = setTimeout(expire, timeoutSeconds * 1000);
        try {
          const signal = AbortSignal.any([deadline.signal, cancelled]);
          return await work(canceledBy(signal, archive), signal);
        } catch (error) {
          client.leave(place);
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

  /** @param bytes of memory that the response may need until it is sent. A query that takes long uses the place of a stream. */
  async function runQuery<T>(
    work: Work<T>,
    client: QueuedRequest,
    bytes: number,
    place: 'query' | 'stream' = 'query',
  ): Promise<T> {
    const result = await start(work, client, bytes, place);
    client.leave(place);
    return result;
  }

  return {
    runQuery,
    /** Runs a query that no request needs yet, if that leaves places and memory for others. Its failures are not reported. */
    runIfIdle(work: Work<unknown>, key: string, bytes: number): void {
      if (!queue.isIdle(bytes)) return;
      // Only the time limit and the circuit breaker end it.
      const ahead = new QueuedRequest(queue, { key, length: 0, disconnected: NEVER });
      const end = () => ahead.end();
      runQuery(work, ahead, bytes).then(end, end);
    },
    /** Opens a stream within the time limit of a query. The caller gives its place back: `client.leave('stream')`. */
    openStream: <T>(work: Work<T>, client: QueuedRequest): Promise<T> => start(work, client, 0, 'stream'),
  };
}

function toQueryProblem(cause: unknown): unknown {
  if (cause instanceof Problem) return cause;
  if (cause instanceof CircuitOpenError) return unavailable(cause);
  const failure = storageFailure(cause);
  return failure === 'unknown' ? cause : PROBLEM_OF[failure](cause);
}

const PROBLEM_OF = { unavailable, overloaded, timeout: queryTimeout } as const;

function unavailable(cause: unknown): Problem {
  return new Problem('storage_unavailable', 'The archive cannot be read at the moment.', { cause });
}

function queryTimeout(cause: unknown): Problem {
  return new Problem('query_timeout', 'The query took too long: ask for fewer stations or a shorter range.', {
    cause,
  });
}
