import { storageFailure } from '../../clickhouse/errors.ts';
import { Problem, retryAfter } from '../http/problem.ts';
import { createConcurrencyLimiter, QueueFullError } from './concurrency-limiter.ts';

/** Asks the storage within a time budget, so many questions at once, and turns its failures into refusals. */
export type RunQuery = <T>(
  work: (signal: AbortSignal) => Promise<T>,
  /** Records that the answer can hold. */
  records: number,
  clientGone: AbortSignal,
) => Promise<T>;

export type QueryLimits = { readonly queriesAtOnce: number; readonly queryTimeoutSeconds: number };

/** Pages that may wait for a place, per place: beyond this a client is served sooner by coming again. */
const QUEUE_PER_PLACE = 16;
const PATIENCE_MILLISECONDS = 5000;

/** A page of 10,000 takes two places, for some 4 MB of it are in memory several times over while it is put together. */
const RECORDS_PER_PLACE = 5000;

export function limitQueries({ queriesAtOnce, queryTimeoutSeconds }: QueryLimits): RunQuery {
  const gate = createConcurrencyLimiter({
    places: queriesAtOnce,
    queue: queriesAtOnce * QUEUE_PER_PLACE,
    patienceMilliseconds: PATIENCE_MILLISECONDS,
  });
  return async (work, records, clientGone) => {
    const places = Math.ceil(records / RECORDS_PER_PLACE);
    let deadline: AbortSignal | undefined;
    try {
      const begin = () => {
        deadline = AbortSignal.timeout(queryTimeoutSeconds * 1000);
        return work(AbortSignal.any([deadline, clientGone]));
      };
      return await gate.pass(begin, places, clientGone);
    } catch (error) {
      if (deadline?.aborted) throw tooSlow(error);
      throw refusalOf(error);
    }
  };
}

function refusalOf(cause: unknown): unknown {
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
      return tooSlow(cause);
    case 'unknown':
      return cause;
  }
}

function overloaded(cause: unknown): Problem {
  return new Problem('overloaded', 'Too many queries are under way.', { headers: retryAfter(1000), cause });
}

function tooSlow(cause: unknown): Problem {
  return new Problem('query_timeout', 'The query took too long: ask for fewer stations or a shorter range.', {
    cause,
  });
}
