import { hash } from 'node:crypto';
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import { preferredEncoding } from '../request/accepted-encoding.ts';
import { requireGetOrHead } from '../request/http-request.ts';
import { compressDocument, DOCUMENT_ENCODINGS } from './compression.ts';
import type { Documents, StaticDocument } from './document.ts';
import { matchesEntityTag } from './entity-tag.ts';

/**
 * Everything comes from this host (D36). Inline scripts and styles are blocked, so report text that becomes markup by
 * mistake runs nothing. Swagger UI and its style sheet have images in `data:` URLs.
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
  // The browser revalidates each time and gets 304, so it never mixes documents of two versions.
  'Cache-Control': 'public, no-cache',
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Referrer-Policy': 'no-referrer',
  Vary: 'Accept-Encoding, X-Forwarded-Proto',
};

type DocumentRoute = (ctx: Context) => Promise<void>;

/** The routes of these documents: requests need no key and are not counted (D36). */
export function documentRoutes(documents: Documents): Readonly<Record<string, DocumentRoute>> {
  return Object.fromEntries(
    Object.entries(documents).map(([path, document]) => [path, documentRoute(document)]),
  );
}

/** The address in the examples of the guides. Readers see the address that they sent their request to instead. */
const EXAMPLE_ADDRESS = 'http://127.0.0.1:8080';
const HOST = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;
/** The most copies of a document for different addresses: limited because a client can send any `Host`. */
const COPIES = 8;

/** A body with its compressed forms, each made when a client first asks for it. */
type Copy = {
  readonly body: Buffer;
  readonly tag: string;
  readonly encodings: Map<string, Promise<Buffer>>;
};

/**
 * All responses share the same bytes, so slow clients need no memory. Each encoding has its own strong entity tag (RFC
 * 9110, 8.8.3.3).
 */
function documentRoute({ body, contentType, headers }: StaticDocument): DocumentRoute {
  const original = toCopy(body);
  const hasExamples = /^text\/(html|markdown|plain)/.test(contentType) && body.includes(EXAMPLE_ADDRESS);
  const copies = new LRUCache<string, Copy>({ max: COPIES });
  const copyFor = (address: string) => {
    if (!hasExamples || address === EXAMPLE_ADDRESS) return original;
    const copy =
      copies.get(address) ?? toCopy(Buffer.from(body.toString().replaceAll(EXAMPLE_ADDRESS, address)));
    copies.set(address, copy);
    return copy;
  };
  return async (ctx) => {
    requireGetOrHead(ctx.method);
    const copy = copyFor(readAddress(ctx));
    const encoding = preferredEncoding(ctx, DOCUMENT_ENCODINGS);
    const etag = encoding === undefined ? `"${copy.tag}"` : `"${copy.tag}-${encoding}"`;
    ctx.set({ ...DOCUMENT_HEADERS, ...headers, ETag: etag });
    if (matchesEntityTag(ctx.get('If-None-Match'), etag)) {
      ctx.status = 304;
      return;
    }
    if (encoding === undefined) ctx.body = copy.body;
    else {
      const compressed = copy.encodings.get(encoding) ?? compressDocument(copy.body, encoding);
      copy.encodings.set(encoding, compressed);
      ctx.body = await compressed;
      ctx.set('Content-Encoding', encoding);
    }
    ctx.set('Content-Type', contentType);
  };
}

function toCopy(body: Buffer): Copy {
  return { body, tag: hash('sha256', body, 'base64url').slice(0, 22), encodings: new Map() };
}

/** Both headers change only the reader's own copy, so they need no trusted proxy. */
function readAddress(ctx: Context): string {
  const host = ctx.get('Host');
  const scheme = ctx.get('X-Forwarded-Proto') === 'https' ? 'https' : 'http';
  return HOST.test(host) ? `${scheme}://${host}` : EXAMPLE_ADDRESS;
}
