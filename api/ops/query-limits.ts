import { storageFailure } from '../../clickhouse/errors.ts';
import { Problem, retryAfter } from '../http/problem.ts';
import { createConcurrencyLimiter, QueueFullError } from './concurrency-limiter.ts';

/** Runs queries within the limits, and turns failures of the storage into problems. */
export type RunQuery = <T>(
  work: (signal: AbortSignal) => Promise<T>,
  /** The most records that the result can have. */
  records: number,
  /** Aborts when the client disconnects. */
  disconnected: AbortSignal,
) => Promise<T>;

export type QueryLimits = { readonly queriesAtOnce: number; readonly queryTimeoutSeconds: number };

/** Beyond this queue a client is served sooner when it repeats the request later. */
const QUEUED_PER_PERMIT = 16;
const QUEUE_TIMEOUT_MS = 5000;

/** A page of 10,000 records needs two permits: some 4 MB of it are in memory several times while it is built. */
const RECORDS_PER_PERMIT = 5000;

export function limitQueries({ queriesAtOnce, queryTimeoutSeconds }: QueryLimits): RunQuery {
  const limiter = createConcurrencyLimiter({
    permits: queriesAtOnce,
    maxQueued: queriesAtOnce * QUEUED_PER_PERMIT,
    queueTimeoutMs: QUEUE_TIMEOUT_MS,
  });
  return async (work, records, disconnected) => {
    const permits = Math.ceil(records / RECORDS_PER_PERMIT);
    // The time limit starts with the query; time in the queue does not count.
    let deadline: AbortSignal | undefined;
    try {
      const query = () => {
        deadline = AbortSignal.timeout(queryTimeoutSeconds * 1000);
        return work(AbortSignal.any([deadline, disconnected]));
      };
      return await limiter.run(query, permits, disconnected);
    } catch (error) {
      if (deadline?.aborted) throw queryTimeout(error);
      throw toQueryProblem(error);
    }
  };
}

function toQueryProblem(cause: unknown): unknown {
  if (cause instanceof QueueFullError) return overloaded(cause);
  switch (storageFailure(cause)) {
    case 'unavailable':
      return new Problem('storage_unavailable', 'The archive cannot be read at the moment.', {
        headers: retryAfter(2000),
        cause,
      });
    case 'overloaded':
      return overloaded(cause);
    case 'timeout':
      return queryTimeout(cause);
    case 'unknown':
      return cause;
  }
}

function overloaded(cause: unknown): Problem {
  return new Problem('overloaded', 'Too many queries are running.', { headers: retryAfter(1000), cause });
}

function queryTimeout(cause: unknown): Problem {
  return new Problem('query_timeout', 'The query took too long: ask for fewer stations or a shorter range.', {
    cause,
  });
}
