import type { Context } from 'koa';
import { QueueFullError } from '../ops/fair-limiter.ts';
import type { QueryClient } from '../ops/query-limits.ts';
import { overloaded, QUEUE_TIMEOUT_MS, type ResponseMemory } from '../ops/response-memory.ts';
import { arrivalOf, isRefused } from './request-turns.ts';

/**
 * Opens the memory of a response for the holder of a key.
 *
 * @throws 503 overloaded where the request has waited too long already, or could not wait for its turn (D40)
 */
export function openClient(
  { url, req, res }: Context,
  memory: ResponseMemory,
  key: string,
  disconnected: AbortSignal,
): QueryClient {
  const since = arrivalOf(req);
  if (isRefused(req) || performance.now() - since > QUEUE_TIMEOUT_MS)
    throw overloaded(new QueueFullError('No turn in time'));
  const waiter = { key, length: url.length };
  const reservation = memory.open(waiter, since);
  res.once('close', () => reservation.release());
  return { ...waiter, disconnected, memory: reservation };
}
