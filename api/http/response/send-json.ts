import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'koa';
import { Problem } from '../../problem.ts';
import { matchesEntityTag } from './entity-tag.ts';
import type { Envelope } from './envelope.ts';
import { formatNextLink, setLinks } from './link-header.ts';

/** `application/json` has no parameters, but clients send a charset. */
const JSON_TYPES = ['application/json', 'application/json; charset=utf-8'];

/**
 * Quality 4 takes some 25 ms for 4 MB, the default of 11 takes seconds. A window of 256 kB needs a tenth of the memory
 * of the default, and compresses reports better: equal texts are close to each other.
 */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } };

export function requireJsonAccepted(ctx: Context): void {
  if (ctx.get('Accept').trim() !== '' && ctx.accepts(JSON_TYPES) === false)
    throw new Problem('not_acceptable', 'This endpoint responds with application/json.');
}

/** Sends a body with its entity tag, compressed as `Accept-Encoding` prefers, or 304 when the client has it (D31). */
export async function sendJson(
  ctx: Context,
  { etag, body }: Envelope,
  nextCursor: string | undefined,
  send: (body: readonly Buffer[]) => void,
): Promise<void> {
  ctx.set({ ETag: etag, 'Cache-Control': 'private, no-cache' });
  if (nextCursor !== undefined) setLinks(ctx, [formatNextLink(ctx, nextCursor)]);
  if (matchesEntityTag(ctx.get('If-None-Match'), etag)) {
    ctx.status = 304;
    return;
  }
  const encoding = ctx.acceptsEncodings('br', 'gzip', 'identity');
  send(await compress(body(), encoding));
  ctx.type = 'application/json';
  if (encoding === 'br' || encoding === 'gzip') ctx.set('Content-Encoding', encoding);
}

async function compress(body: readonly Buffer[], encoding: string | false): Promise<readonly Buffer[]> {
  if (encoding === 'br') return [await promisify(brotliCompress)(Buffer.concat(body), BROTLI)];
  if (encoding === 'gzip') return [await promisify(gzip)(Buffer.concat(body))];
  return body;
}
