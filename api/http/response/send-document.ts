import { hash } from 'node:crypto';
import type { Context } from 'koa';
import { preferredEncoding } from '../request/accepted-encoding.ts';
import { requireGetOrHead } from '../request/http-request.ts';
import { compressDocument, DOCUMENT_ENCODINGS } from './compression.ts';
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

type DocumentRoute = (ctx: Context) => Promise<void>;

/** The routes of these documents: they need no key and are not counted (D36). */
export function documentRoutes(documents: Documents): Readonly<Record<string, DocumentRoute>> {
  return Object.fromEntries(
    Object.entries(documents).map(([path, document]) => [path, documentRoute(document)]),
  );
}

/** For a document that has another path now. Old links stay good. */
export function redirectTo(path: string): DocumentRoute {
  return async (ctx) => {
    requireGetOrHead(ctx.method);
    ctx.status = 308;
    ctx.set('Location', path);
    ctx.body = `This document is at ${path}\n`;
  };
}

/**
 * All responses share the same bytes, so that slow clients need no memory. An encoding is prepared when a client asks
 * for it for the first time, and has a strong entity tag of its own (RFC 9110, 8.8.3.3).
 */
function documentRoute({ body, contentType, headers }: StaticDocument): DocumentRoute {
  const tag = hash('sha256', body, 'base64url').slice(0, 22);
  const encodings = new Map<string, Promise<Buffer>>();
  return async (ctx) => {
    requireGetOrHead(ctx.method);
    const encoding = preferredEncoding(ctx, DOCUMENT_ENCODINGS);
    const etag = encoding === undefined ? `"${tag}"` : `"${tag}-${encoding}"`;
    ctx.set({ ...DOCUMENT_HEADERS, ...headers, ETag: etag });
    if (matchesEntityTag(ctx.get('If-None-Match'), etag)) {
      ctx.status = 304;
      return;
    }
    if (encoding === undefined) ctx.body = body;
    else {
      const compressed = encodings.get(encoding) ?? compressDocument(body, encoding);
      encodings.set(encoding, compressed);
      ctx.body = await compressed;
      ctx.set('Content-Encoding', encoding);
    }
    ctx.set('Content-Type', contentType);
  };
}
