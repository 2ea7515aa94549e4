import type { Context } from 'koa';
import type { Authenticator, Identity } from '../auth/authenticate.ts';
import { QUEUE_TIMEOUT_MS, QueuedRequest, type RequestQueue } from '../ops/request-queue.ts';
import { overloaded, Problem, QueueFullError } from '../problem.ts';
import { addressBucket, clientAddress } from '../rate-limit/client-address.ts';
import { rateLimitHeaders, requireAllowance } from '../rate-limit/rate-limit.ts';
import {
  abortOnDisconnect,
  arrivalOf,
  chooseFormat,
  type MediaTypes,
  refusedRequests,
  requireGetOrHead,
  requireNoBody,
} from './http-request.ts';
import { addLogFields } from './request-log.ts';

/** Checks a request in the order of refusals. The `client` that it returns waits for places and memory until it disconnects. */
export async function acceptRequest<Types extends MediaTypes>(
  ctx: Context,
  mediaTypes: Types,
  { authenticator, queue }: { readonly authenticator: Authenticator; readonly queue: RequestQueue },
) {
  // Before the first `await`: a response that has closed already emits no further `close`.
  const disconnected = abortOnDisconnect(ctx.res);
  const identity = await applyRateLimit(ctx, authenticator); // 503 key_store_unavailable, 429
  requireGetOrHead(ctx.method); // 405
  const { turnOf, allowance } = requireCaller(identity); // 401
  const format = chooseFormat(ctx, mediaTypes); // 406
  requireNoBody(ctx.req); // 400 invalid_parameter
  const since = arrivalOf(ctx.req);
  // 503 overloaded
  if (refusedRequests.has(ctx.req) || performance.now() - since > QUEUE_TIMEOUT_MS)
    throw overloaded(new QueueFullError('No turn in time'));
  const client = new QueuedRequest(queue, { key: turnOf, length: ctx.url.length, disconnected, since });
  ctx.res.once('close', () => client.end());
  return { format, allowance, client };
}

/** Counts the request in the bucket of its key or address, and refuses it if that is exhausted. */
export async function applyRateLimit(ctx: Context, authenticator: Authenticator): Promise<Identity> {
  const peer = ctx.req.socket.remoteAddress ?? '';
  const address = clientAddress(peer, ctx.get('X-Forwarded-For'), authenticator.trustedProxies);
  const identity = await authenticator.authenticate(ctx.headers.authorization, addressBucket(address));
  const { allowance } = identity;
  ctx.set(rateLimitHeaders(allowance));
  addLogFields(ctx.req, {
    address,
    ...(identity.credentials === 'valid' && { plan: allowance.plan, key: identity.keyId }),
  });
  requireAllowance(allowance);
  return identity;
}

/** Unknown, malformed and revoked keys get the same response (D24). */
export function requireCaller(identity: Identity) {
  if (identity.credentials === 'valid') return identity;
  if (identity.credentials === 'missing')
    throw new Problem('missing_credentials', 'Send your API key: Authorization: Bearer <API_KEY>.', {
      headers: { 'WWW-Authenticate': 'Bearer realm="history"' },
    });
  throw new Problem('invalid_credentials', 'This API key is not valid.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="history", error="invalid_token"' },
  });
}
