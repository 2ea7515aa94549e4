import type { BlockList } from 'node:net';
import type { Context } from 'koa';
import type { Authenticate, Identity } from '../auth/authenticate.ts';
import { addressBucket, clientAddress } from '../rate-limit/client-address.ts';
import { requireAllowance } from '../rate-limit/rate-limit.ts';
import { rateLimitHeaders } from './headers.ts';
import { addLogFields } from './request-log.ts';

/** What identifies the client of a request. */
export type ClientIdentification = {
  readonly authenticate: Authenticate;
  readonly trustedProxies: BlockList;
};

/**
 * The first stage of every counted request: reads the credentials, counts the request in the bucket of its key or
 * address, and refuses it if the bucket is exhausted. Whether the route needs a key is checked later.
 */
export async function applyRateLimit(
  ctx: Context,
  { authenticate, trustedProxies }: ClientIdentification,
): Promise<Identity> {
  const peer = ctx.req.socket.remoteAddress ?? '';
  const address = clientAddress(peer, ctx.get('X-Forwarded-For'), trustedProxies);
  const identity = await authenticate(ctx.headers.authorization, addressBucket(address));
  const { allowance } = identity;
  ctx.set(rateLimitHeaders(allowance));
  addLogFields(ctx.req, {
    address,
    ...(identity.kind === 'caller' && { plan: allowance.plan }),
    ...(identity.kind === 'caller' && identity.keyId !== undefined && { key: identity.keyId }),
  });
  requireAllowance(allowance);
  return identity;
}
