import { hash } from 'node:crypto';

/** A weak entity tag: the same for the same text. */
export function entityTagOf(text: string): string {
  return `W/"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
}

/**
 * Whether `If-None-Match` contains the entity tag, by weak comparison (RFC 9110, 13.1.2). `Cache-Control: no-cache` in
 * the same request is ignored: `fetch` adds it to every request with `If-None-Match`.
 */
export function matchesEntityTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  const opaqueTag = etag.replace(/^W\//, '');
  return [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([tag]) => tag === opaqueTag);
}
