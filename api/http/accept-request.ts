import type { Context } from 'koa';
import { requireCaller } from '../auth/authenticate.ts';
import type { QueryClient } from '../ops/query-limits.ts';
import type { Allowance } from '../rate-limit/rate-limit.ts';
import type { ApplyRateLimit } from './apply-rate-limit.ts';
import type { OpenClient } from './query-client.ts';
import { abortOnDisconnect, requireGetOrHead, requireNoBody } from './request/http-request.ts';

/** A request that may be answered, before its query is parsed. */
type AcceptedRequest<Format> = {
  readonly format: Format;
  readonly allowance: Allowance;
  /** Whose queries it needs. */
  readonly client: QueryClient;
};

/**
 * The stages that all endpoints of the archive begin with, in the order of refusals (D25).
 *
 * @param chooseFormat throws 406 where the client accepts no format of the endpoint
 */
export async function acceptRequest<Format>(
  ctx: Context,
  applyRateLimit: ApplyRateLimit,
  openClient: OpenClient,
  chooseFormat: (ctx: Context) => Format,
): Promise<AcceptedRequest<Format>> {
  // Before the first `await`: a response that has closed already emits no further `close`.
  const disconnected = abortOnDisconnect(ctx.res);
  const identity = await applyRateLimit(ctx); // 503 key_store_unavailable, 429
  requireGetOrHead(ctx.method); // 405
  const { keyId, allowance } = requireCaller(identity); // 401
  const format = chooseFormat(ctx); // 406
  requireNoBody(ctx.req); // 400 invalid_parameter
  return { format, allowance, client: openClient(ctx, keyId, disconnected) };
}
