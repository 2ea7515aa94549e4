import { hash } from 'node:crypto';
import type { Coverage } from '../../clickhouse/coverage/coverage.ts';
import type { Allowance } from '../rate-limit/rate-limit.ts';

export type Envelope = { readonly body: Buffer; readonly etag: string };

/**
 * The response body of the specification (2.2, 2.3). The records are JSON text already and are joined once, unchanged:
 * a page of 10,000 is some 4 MB, and each copy costs time and memory. The entity tag covers everything but
 * `meta.rateLimit`, which differs in every response (D31).
 */
export function buildEnvelope(
  records: readonly string[],
  coverage: Coverage,
  nextCursor: string | undefined,
  { plan, limitPerSecond, remaining }: Allowance,
): Envelope {
  const paging = nextCursor === undefined ? { hasMore: false } : { hasMore: true, nextCursor };
  const meta = JSON.stringify({ ...paging, coverage }).slice(0, -1);
  const rateLimit = `,"rateLimit":${JSON.stringify({ plan, limitPerSecond, remaining })}}}`;
  const [first = '', ...others] = records;
  const body = Buffer.from([`{"data":[${first}`, ...others].join(',').concat(`],"meta":${meta}${rateLimit}`));
  const tagged = body.subarray(0, body.length - Buffer.byteLength(rateLimit));
  return { body, etag: `W/"${hash('sha256', tagged, 'base64url').slice(0, 22)}"` };
}
