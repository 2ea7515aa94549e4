import { hash } from 'node:crypto';
import type { Coverage } from '../clickhouse/coverage.ts';
import type { Allowance } from './ratelimit.ts';

export type Envelope = { readonly body: string; readonly etag: string };

/**
 * The answer of the contract (2.2, 2.3). The records are JSON text already and are spliced in as they stand. The tag
 * covers everything but `meta.rateLimit`, which differs with every request (D31).
 */
export function envelope(
  records: readonly string[],
  coverage: Coverage,
  nextCursor: string | undefined,
  { plan, limitPerSecond, remaining }: Allowance,
): Envelope {
  const paging = nextCursor === undefined ? { hasMore: false } : { hasMore: true, nextCursor };
  const meta = JSON.stringify({ ...paging, coverage });
  const rateLimit = JSON.stringify({ plan, limitPerSecond, remaining });
  const tagged = `{"data":[${records.join(',')}],"meta":${meta.slice(0, -1)}`;
  return {
    body: `${tagged},"rateLimit":${rateLimit}}}`,
    etag: `W/"${hash('sha256', tagged, 'base64url').slice(0, 22)}"`,
  };
}
