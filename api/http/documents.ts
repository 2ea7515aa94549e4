import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import { compress, DOCUMENT_ENCODINGS, preferredEncoding } from './compression.ts';
import { matchesEntityTag, type RouteEntry, requireGetOrHead } from './http-request.ts';

type Inline = { readonly scripts: readonly string[]; readonly styles: readonly string[] };

/**
 * Everything comes from this host (D36). Inline scripts and styles other than the given ones are blocked, so report text
 * that becomes markup by mistake runs nothing. Swagger UI and its style sheet have images in `data:` URLs.
 */
export function contentSecurityPolicy({ scripts, styles }: Inline = { scripts: [], styles: [] }): string {
  const sources = (texts: readonly string[]) =>
    ["'self'", ...texts.map((text) => `'sha256-${hash('sha256', text, 'base64')}'`)].join(' ');
  return [
    "default-src 'none'",
    `script-src ${sources(scripts)}`,
    `style-src ${sources(styles)}`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const DOCUMENT_HEADERS = {
  // The browser revalidates each time and gets 304, so it never mixes documents of two versions.
  'Cache-Control': 'public, no-cache',
  'Content-Security-Policy': contentSecurityPolicy(),
  'Referrer-Policy': 'no-referrer',
  Vary: 'Accept-Encoding, X-Forwarded-Proto',
};

const CONTENT_TYPES = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ipynb: 'application/x-ipynb+json; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  png: 'image/png',
  py: 'text/x-python; charset=utf-8',
  R: 'text/plain; charset=utf-8',
  schema: 'application/schema+json; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  ts: 'application/typescript; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
} as const;

type DocumentType = keyof typeof CONTENT_TYPES;

/** The address in documents. Readers see the address that they sent their request to instead. */
export const ADDRESS = 'http://127.0.0.1:8080';
const HOST_HEADER = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;
/** The most copies of a document, one for each address of the service; limited, because a client can send any `Host`. */
const COPIES = 8;

export type Documents = Readonly<Record<string, StaticDocument>>;

/**
 * A document that does not change while the process runs: a page, a style sheet, a script, a schema. All responses share
 * the same bytes, so slow clients need no memory. Each encoding has its own strong entity tag (RFC 9110, 8.8.3.3).
 */
export class StaticDocument {
  readonly body: Buffer;
  readonly contentType: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #hasAddress: boolean;
  /** Copies by the address that they contain. */
  readonly #copies = new LRUCache<string, ReturnType<typeof toCopy>>({
    max: COPIES,
    memoMethod: (address) =>
      toCopy(address === ADDRESS ? this.body : Buffer.from(`${this.body}`.replaceAll(ADDRESS, address))),
  });

  constructor(body: string | Buffer, type: DocumentType, headers: Readonly<Record<string, string>> = {}) {
    this.body = Buffer.from(body);
    this.contentType = CONTENT_TYPES[type];
    this.#headers = headers;
    this.#hasAddress = ['html', 'ipynb', 'md', 'txt', 'R'].includes(type) && body.includes(ADDRESS);
  }

  /** Requests need no key and are not counted (D36). */
  async answer(ctx: Context): Promise<void> {
    requireGetOrHead(ctx.method);
    const copy = this.#copies.memo(this.#hasAddress ? readAddress(ctx) : ADDRESS);
    const encoding = preferredEncoding(ctx, DOCUMENT_ENCODINGS);
    const etag = encoding === undefined ? `"${copy.tag}"` : `"${copy.tag}-${encoding}"`;
    ctx.set({ ...DOCUMENT_HEADERS, ...this.#headers, ETag: etag });
    if (matchesEntityTag(ctx.get('If-None-Match'), etag)) {
      ctx.status = 304;
      return;
    }
    if (encoding === undefined) ctx.body = copy.body;
    else {
      const compressed = copy.encodings.get(encoding) ?? compress([copy.body], encoding, 'document');
      copy.encodings.set(encoding, compressed);
      ctx.body = await compressed;
      ctx.set('Content-Encoding', encoding);
    }
    ctx.set('Content-Type', this.contentType);
  }
}

export function documentRoutes(documents: Documents): readonly RouteEntry[] {
  return Object.entries(documents).map(([path, document]) => [
    path,
    { label: 'documents', handle: (ctx) => document.answer(ctx) },
  ]);
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

export async function readDocument(file: URL): Promise<StaticDocument> {
  const extension = file.pathname.split('.').at(-1) ?? '';
  if (!(extension in CONTENT_TYPES)) throw new Error(`No content type for ${file.pathname}`);
  return new StaticDocument(await readFile(file), extension as DocumentType);
}

export async function readDocuments(path: string, folder: URL, names: RegExp): Promise<Documents> {
  const documents: Record<string, StaticDocument> = {};
  for (const name of await readdir(folder))
    if (names.test(name)) documents[`${path}/${name}`] = await readDocument(new URL(name, folder));
  return documents;
}

function toCopy(body: Buffer) {
  const encodings = new Map<string, Promise<Buffer>>();
  return { body, tag: hash('sha256', body, 'base64url').slice(0, 22), encodings };
}

/** `Host` and `X-Forwarded-Proto` change only what this client itself reads, so they are accepted from any client. */
function readAddress(ctx: Context): string {
  const host = ctx.get('Host');
  const scheme = ctx.get('X-Forwarded-Proto') === 'https' ? 'https' : 'http';
  return HOST_HEADER.test(host) ? `${scheme}://${host}` : ADDRESS;
}
