import type { Context } from 'koa';
import { requireCaller } from '../auth/authenticate.ts';
import {
  overloaded,
  QUEUE_TIMEOUT_MS,
  QueuedRequest,
  QueueFullError,
  type RequestQueue,
} from '../ops/request-queue.ts';
import type { Allowance } from '../rate-limit/rate-limit.ts';
import { applyRateLimit, type ClientIdentification } from './apply-rate-limit.ts';
import { chooseFormat, type MediaTypes } from './request/format.ts';
import { abortOnDisconnect, requireGetOrHead, requireNoBody } from './request/http-request.ts';
import { arrivalOf, isRefused } from './request-turns.ts';

export type AcceptResources = ClientIdentification & { readonly queue: RequestQueue };

/** A request that may be answered, before its query is parsed. */
type AcceptedRequest<Format> = {
  readonly format: Format;
  readonly allowance: Allowance;
  /** Waits for places and memory until its client disconnects. */
  readonly client: QueuedRequest;
};

/** The first stages of every archive endpoint, in the order in which they refuse requests. */
export async function acceptRequest<Types extends MediaTypes>(
  ctx: Context,
  mediaTypes: Types,
  service: AcceptResources,
): Promise<AcceptedRequest<keyof Types & string>> {
  // Before the first `await`: a response that has closed already emits no further `close`.
  const disconnected = abortOnDisconnect(ctx.res);
  const identity = await applyRateLimit(ctx, service); // 503 key_store_unavailable, 429
  requireGetOrHead(ctx.method); // 405
  const { turnOf, allowance } = requireCaller(identity); // 401
  const format = chooseFormat(ctx, mediaTypes); // 406
  requireNoBody(ctx.req); // 400 invalid_parameter
  const arrived = arrivalOf(ctx.req);
  // 503 overloaded
  if (isRefused(ctx.req) || performance.now() - arrived > QUEUE_TIMEOUT_MS)
    throw overloaded(new QueueFullError('No turn in time'));
  const client = new QueuedRequest(service.queue, turnOf, ctx.url.length, disconnected, arrived);
  ctx.res.once('close', () => client.end());
  return { format, allowance, client };
}
