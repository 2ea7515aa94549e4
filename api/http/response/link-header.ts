import type { Context } from 'koa';

/** Proxies refuse longer header lines (D31). */
const MAX_LENGTH = 2048;

/** The next page: the same request with another cursor. */
export function formatNextLink({ path, querystring }: Context, cursor: string): string {
  const query = new URLSearchParams(querystring);
  query.set('cursor', cursor);
  return formatLink(path, query, 'next');
}

/** A reference relative to the URL of the response (RFC 8288). */
export function formatLink(path: string, query: URLSearchParams, relation: 'next' | 'describedby'): string {
  return `<${path}?${query}>; rel="${relation}"`;
}

/** Sets the `Link` header. Leaves out links longer than 2 kB. */
export function setLinks(ctx: Context, links: readonly string[]): void {
  const short = links.filter(({ length }) => length <= MAX_LENGTH);
  if (short.length > 0) ctx.set('Link', short);
}
