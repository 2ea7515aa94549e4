import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'koa';
import { requireGetOrHead } from '../request/http-request.ts';
import type { Documents, StaticDocument } from './document.ts';
import { matchesEntityTag } from './entity-tag.ts';

/**
 * Everything comes from this host (D36). Scripts and styles inside the markup do not run, so that text of a report which
 * becomes markup by mistake runs nothing. Swagger UI and its style sheet have pictures in `data:` URLs.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const DOCUMENT_HEADERS = {
  // The browser asks each time and gets 304, so that it never mixes documents of two versions.
  'Cache-Control': 'public, no-cache',
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Referrer-Policy': 'no-referrer',
  Vary: 'Accept-Encoding',
};

/** 4 % of the time of quality 11 for the script of Swagger UI, which then has 9 % more bytes. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

type Encoding = 'br' | 'gzip' | 'identity';
type DocumentRoute = (ctx: Context) => Promise<void>;

/** The routes of these documents: they need no key and are not counted (D36). */
export function documentRoutes(documents: Documents): Readonly<Record<string, DocumentRoute>> {
  return Object.fromEntries(
    Object.entries(documents).map(([path, document]) => [path, documentRoute(document)]),
  );
}

/**
 * All responses share the same bytes, so that slow clients need no memory. An encoding is prepared when a client asks
 * for it for the first time, and has a strong entity tag of its own (RFC 9110, 8.8.3.3).
 */
function documentRoute({ body, contentType, headers }: StaticDocument): DocumentRoute {
  const tag = hash('sha256', body, 'base64url').slice(0, 22);
  const encodings = new Map<Encoding, Promise<Buffer>>([['identity', Promise.resolve(body)]]);
  return async (ctx) => {
    requireGetOrHead(ctx.method);
    const encoding = preferredEncoding(ctx);
    const etag = encoding === 'identity' ? `"${tag}"` : `"${tag}-${encoding}"`;
    ctx.set({ ...DOCUMENT_HEADERS, ...headers, ETag: etag });
    if (matchesEntityTag(ctx.get('If-None-Match'), etag)) {
      ctx.status = 304;
      return;
    }
    const encoded = encodings.get(encoding) ?? compress(body, encoding);
    encodings.set(encoding, encoded);
    ctx.body = await encoded;
    ctx.set('Content-Type', contentType);
    if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  };
}

function preferredEncoding(ctx: Context): Encoding {
  const accepted = ctx.acceptsEncodings('br', 'gzip', 'identity');
  return accepted === 'br' || accepted === 'gzip' ? accepted : 'identity';
}

function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === 'br' ? promisify(brotliCompress)(body, BROTLI) : promisify(gzip)(body);
}
