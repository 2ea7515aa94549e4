import type { Context } from 'koa';
import type { QueryClient } from '../ops/query-limits.ts';
import type { ResponseMemory } from '../ops/response-memory.ts';

/** Opens the memory of a response for the holder of a key. */
export type OpenClient = (ctx: Context, key: string, disconnected: AbortSignal) => QueryClient;

export function clientOpener(memory: ResponseMemory): OpenClient {
  return ({ url, res }, key, disconnected) => {
    const waiter = { key, length: url.length };
    const reservation = memory.open(waiter);
    res.once('close', () => reservation.release());
    return { ...waiter, disconnected, memory: reservation };
  };
}
