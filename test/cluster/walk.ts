import assert from 'node:assert/strict';
import { OBSERVATIONS, type TestApi } from '../support/api/api.ts';

export type WalkedPage = { readonly body: string; readonly etag: string | null };

/**
 * Follows `nextCursor` to the last page.
 *
 * @param after the `nextCursor` of an earlier page; without it the walk begins with the first page
 */
export async function walk(api: TestApi, query: string, after = ''): Promise<readonly WalkedPage[]> {
  const pages: WalkedPage[] = [];
  for (let cursor: string | undefined = after; cursor !== undefined; ) {
    const { body, etag, nextCursor }: WalkedPage & { nextCursor?: string } = await readPage(
      api,
      query,
      cursor,
    );
    pages.push({ body, etag });
    cursor = nextCursor;
  }
  return pages;
}

/** @param cursor empty for the first page */
export async function readPage(
  api: TestApi,
  query: string,
  cursor: string,
): Promise<WalkedPage & { readonly nextCursor?: string }> {
  const response = await api.get(`${OBSERVATIONS}?${query}${cursor && `&cursor=${cursor}`}`);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const { nextCursor } = JSON.parse(text).meta;
  return { body: withoutRateLimit(text), etag: response.headers.get('etag'), nextCursor };
}

/** Equal responses can differ in the number of requests that the rate limit still allows. */
export function withoutRateLimit(body: string): string {
  return body.replace(/"remaining":\d+/, '"remaining":0');
}
