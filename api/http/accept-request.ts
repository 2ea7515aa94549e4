import type { Context } from 'koa';
import { requireCaller } from '../auth/authenticate.ts';
import type { QueryClient } from '../ops/query-limits.ts';
import type { ResponseMemory } from '../ops/response-memory.ts';
import type { Allowance } from '../rate-limit/rate-limit.ts';
import type { ApplyRateLimit } from './apply-rate-limit.ts';
import { openClient } from './query-client.ts';
import { abortOnDisconnect, requireGetOrHead, requireNoBody } from './request/http-request.ts';

/** A request that may be answered, before its query is parsed. */
type AcceptedRequest<Format> = {
  readonly format: Format;
  readonly allowance: Allowance;
  /** Runs queries for the holder of the key, in the memory of the response, until the client disconnects. */
  readonly client: QueryClient;
};

/**
 * The stages that all endpoints of the archive begin with, in the order of refusals (D25).
 *
 * @param chooseFormat throws 406 where the client accepts no format of the endpoint
 */
export type AcceptRequest = <Format>(
  ctx: Context,
  chooseFormat: (ctx: Context) => Format,
) => Promise<AcceptedRequest<Format>>;

export function requestAcceptor(applyRateLimit: ApplyRateLimit, memory: ResponseMemory): AcceptRequest {
  return async (ctx, chooseFormat) => {
    // Before the first `await`: a response that has closed already emits no further `close`.
    const disconnected = abortOnDisconnect(ctx.res);
    const identity = await applyRateLimit(ctx); // 503 key_store_unavailable, 429
    requireGetOrHead(ctx.method); // 405
    const { keyId, allowance } = requireCaller(identity); // 401
    const format = chooseFormat(ctx); // 406
    requireNoBody(ctx.req); // 400 invalid_parameter
    return { format, allowance, client: openClient(ctx, memory, keyId, disconnected) };
  };
}
