import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'koa';
import { Problem } from '../http/problem.ts';
import type { Envelope } from './envelope.ts';

/** `application/json` has no parameters, but clients name a charset. */
const SENDABLE = ['application/json', 'application/json; charset=utf-8'];

/**
 * Level 4 takes some 25 ms for 4 MB, the default of 11 some seconds. The window of 256 kB takes a tenth of the memory
 * of the default one, and packs reports better: what repeats in them repeats soon.
 */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } };

/** Longer header lines are refused by proxies; the cursor is in the body anyway (D31). */
const LINK_BYTES = 2048;

export function requireJsonAccepted(ctx: Context): void {
  if (ctx.get('Accept').trim() !== '' && ctx.accepts(SENDABLE) === false)
    throw new Problem('not_acceptable', 'This endpoint answers application/json.');
}

/** Sends a page: tagged, compressed as the client likes it, or as 304 when the client has it already (D31). */
export async function sendPage(
  ctx: Context,
  { body, etag }: Envelope,
  nextCursor: string | undefined,
): Promise<void> {
  const link = nextCursor === undefined ? '' : linkTo(ctx.path, ctx.querystring, nextCursor);
  ctx.set({ ETag: etag, 'Cache-Control': 'private, no-cache' });
  if (link !== '' && link.length <= LINK_BYTES) ctx.set('Link', link);
  if (isKnown(ctx.get('If-None-Match'), etag)) {
    ctx.status = 304;
    return;
  }
  const encoding = ctx.acceptsEncodings('br', 'gzip', 'identity');
  ctx.body = await encoded(body, encoding);
  ctx.type = 'application/json';
  if (encoding === 'br' || encoding === 'gzip') ctx.set('Content-Encoding', encoding);
}

function encoded(body: Buffer, encoding: string | false): Promise<Buffer> | Buffer {
  if (encoding === 'br') return promisify(brotliCompress)(body, BROTLI);
  if (encoding === 'gzip') return promisify(gzip)(body);
  return body;
}

/** The next page as a reference relative to this one's URL (RFC 8288). */
function linkTo(path: string, querystring: string, cursor: string): string {
  const query = new URLSearchParams(querystring);
  query.set('cursor', cursor);
  return `<${path}?${query}>; rel="next"`;
}

/**
 * Whether `If-None-Match` names the tag, compared weakly (RFC 9110, 13.1.2). A `Cache-Control: no-cache` beside it is
 * no reason to send the page again: `fetch` adds one to every request that has the header.
 */
function isKnown(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([tag]) => tag === opaque);
}
