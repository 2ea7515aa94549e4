import type { Context } from 'koa';
import type { QueuedRequest } from '../../ops/request-queue.ts';
import { ENCODINGS, preferredEncoding } from '../request/accepted-encoding.ts';
import type { CompressedBodies } from './compressed-bodies.ts';
import { appendEnd } from './compression.ts';
import { matchesEntityTag } from './entity-tag.ts';
import type { Envelope } from './envelope.ts';
import { formatNextLink, setLinks } from './link-header.ts';
import { sendBody } from './send-body.ts';

/**
 * Sends a body with its entity tag, compressed as `Accept-Encoding` prefers, or 304 if the client has it.
 *
 * @param bodies compresses each body once
 */
export async function sendJson(
  ctx: Context,
  envelope: Envelope,
  nextCursor: string | undefined,
  client: QueuedRequest,
  bodies: CompressedBodies,
): Promise<void> {
  const isKnown = matchesEntityTag(ctx.get('If-None-Match'), envelope.etag);
  const encoding = preferredEncoding(ctx, ENCODINGS);
  const parts = async () =>
    encoding === undefined
      ? [...envelope.start, envelope.end]
      : appendEnd(await bodies.startOf(envelope, encoding, client), envelope.end);
  if (isKnown) ctx.status = 304;
  // 503 overloaded: before the headers of a page are set.
  else await sendBody(ctx, await parts(), client);
  ctx.set({ ETag: envelope.etag, 'Cache-Control': 'private, no-cache' });
  if (nextCursor !== undefined) setLinks(ctx, [formatNextLink(ctx, nextCursor)]);
  if (isKnown) return;
  ctx.type = envelope.mediaType;
  if (encoding !== undefined) ctx.set('Content-Encoding', encoding);
}
