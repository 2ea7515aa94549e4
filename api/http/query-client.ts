import type { Context } from 'koa';
import { QueueFullError } from '../ops/fair-limiter.ts';
import type { QueryClient } from '../ops/query-limits.ts';
import { overloaded, QUEUE_TIMEOUT_MS, type ResponseMemory } from '../ops/response-memory.ts';
import { arrivalOf } from './request-turns.ts';

/** Opens the memory of a response for the holder of a key; 503 overloaded for who has waited too long already (D40). */
export type OpenClient = (ctx: Context, key: string, disconnected: AbortSignal) => QueryClient;

export function clientOpener(memory: ResponseMemory): OpenClient {
  return ({ url, req, res }, key, disconnected) => {
    const since = arrivalOf(req);
    if (performance.now() - since > QUEUE_TIMEOUT_MS) throw overloaded(new QueueFullError('No turn in time'));
    const waiter = { key, length: url.length };
    const reservation = memory.open(waiter, since);
    res.once('close', () => reservation.release());
    return { ...waiter, disconnected, memory: reservation };
  };
}
