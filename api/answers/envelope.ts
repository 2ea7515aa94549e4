import { hash } from 'node:crypto';
import type { Allowance } from '../rate-limit/rate-limit.ts';
import type { CacheEntry } from './memory.ts';

export type Envelope = {
  readonly mediaType: string;
  readonly etag: string;
  readonly parts: readonly Buffer[];
};

/** JSON text in memory, outside of V8's heap. */
export type JsonText = {
  /** For an array: its elements, separated by commas. */
  readonly text: Buffer;
  readonly digest: string;
};

export type CachedText = JsonText & CacheEntry;

/** Copies bytes that are part of a larger block of memory (a pool, another buffer): they would keep the whole block alive. */
export function toCachedText(bytes: Buffer): CachedText {
  const isShared = bytes.length * 1.1 <= bytes.buffer.byteLength;
  const text = isShared ? Buffer.allocUnsafeSlow(bytes.length) : bytes;
  if (isShared) bytes.copy(text);
  let digest: string | undefined;
  return {
    text,
    size: text.buffer.byteLength,
    // Computed on first use: a page that was read ahead may never need it.
    get digest() {
      digest ??= digestOf(text);
      return digest;
    },
  };
}

/** The members of `meta` except `rateLimit`. */
type Meta = {
  /** The members before the coverage, as JSON text: `hasMore` and `nextCursor` from `formatPaging`, or others. */
  readonly members?: string;
  /** `coverage` and what belongs to it, as JSON text of members. */
  readonly coverage?: JsonText;
};

const START_OF_PAGE = Buffer.from('{"data":[');
const COMMA = Buffer.from(',');

/** `{"data":[…],"meta":{…}}`. The entity tag covers all but `meta.rateLimit`, which differs in every response (D31). */
export function buildEnvelope(data: JsonText, { members, coverage }: Meta, allowance: Allowance): Envelope {
  const { plan, limitPerSecond, remaining } = allowance;
  const meta = `],"meta":{${members === undefined ? '' : `${members},`}`;
  const covered = coverage && [Buffer.from(meta), coverage.text, COMMA];
  const rateLimit = Buffer.from(`"rateLimit":${JSON.stringify({ plan, limitPerSecond, remaining })}}}`);
  return {
    mediaType: 'application/json',
    etag: entityTagOf(`${data.digest} ${members} ${coverage?.digest}`),
    parts: [START_OF_PAGE, data.text, ...(covered ?? [Buffer.from(meta)]), rateLimit],
  };
}

export function jsonText(text: string): JsonText {
  const bytes = Buffer.from(text);
  return { text: bytes, digest: digestOf(bytes) };
}

/** The members of `meta` about further pages, as JSON text. `nextCursor` is absent on the last page (D11). */
export function formatPaging(nextCursor: string | undefined): string {
  const paging = nextCursor === undefined ? { hasMore: false } : { hasMore: true, nextCursor };
  return JSON.stringify(paging).slice(1, -1);
}

/** The content of `formatPaging` as headers, for formats without `meta` (D33). */
export function pagingHeaders(nextCursor: string | undefined): Readonly<Record<string, string>> {
  return nextCursor === undefined
    ? { 'X-Has-More': 'false' }
    : { 'X-Has-More': 'true', 'X-Next-Cursor': nextCursor };
}

function digestOf(text: Buffer): string {
  return hash('sha256', text, 'base64url');
}

/** A weak entity tag: the same for the same text. */
export function entityTagOf(text: string): string {
  return `W/"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
}

/** A time without fractions of a second, `2024-01-31T12:51:00Z` (D1); `undefined` stays `undefined`. */
export function formatTime(epochSeconds: number): string;
export function formatTime(epochSeconds: number | undefined): string | undefined;
export function formatTime(epochSeconds: number | undefined) {
  return epochSeconds === undefined
    ? undefined
    : new Date(epochSeconds * 1000).toISOString().replace('.000Z', 'Z');
}
