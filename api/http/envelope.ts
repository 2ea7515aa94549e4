import { hash } from 'node:crypto';
import type { Allowance } from '../rate-limit/rate-limit.ts';

export type Envelope = { readonly body: Buffer; readonly etag: string };

/**
 * The response body `{"data":[…],"meta":{…}}`. The elements of `data` are JSON text already and are joined once,
 * unchanged: a page of 10,000 records is some 4 MB, and each copy costs time and memory. The entity tag covers
 * everything but `meta.rateLimit`, which comes last and differs in every response (D31).
 *
 * @param meta without `rateLimit`
 */
export function buildEnvelope(
  data: readonly string[],
  meta: Readonly<Record<string, unknown>>,
  { plan, limitPerSecond, remaining }: Allowance,
): Envelope {
  const metaText = JSON.stringify(meta).slice(0, -1);
  const separator = metaText.length > 1 ? ',' : '';
  const rateLimit = `${separator}"rateLimit":${JSON.stringify({ plan, limitPerSecond, remaining })}}}`;
  const [first = '', ...others] = data;
  const body = Buffer.from(
    [`{"data":[${first}`, ...others].join(',').concat(`],"meta":${metaText}${rateLimit}`),
  );
  const tagged = body.subarray(0, body.length - Buffer.byteLength(rateLimit));
  return { body, etag: `W/"${hash('sha256', tagged, 'base64url').slice(0, 22)}"` };
}

/** `nextCursor` is absent on the last page (D11). */
export function pagingOf(nextCursor: string | undefined): Readonly<Record<string, unknown>> {
  return nextCursor === undefined ? { hasMore: false } : { hasMore: true, nextCursor };
}
