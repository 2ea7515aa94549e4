import { hash } from 'node:crypto';
import type { Coverage } from '../../clickhouse/coverage/coverage.ts';
import type { Allowance } from '../rate-limit/rate-limit.ts';

export type Envelope = {
  readonly etag: string;
  body(): Buffer;
};

/**
 * The response body of the specification (2.2, 2.3). The records are JSON text already, separated by commas, and are
 * copied once. The entity tag covers everything but `meta.rateLimit`, which differs in every response (D31).
 */
export function buildEnvelope(
  records: Buffer,
  coverage: Coverage,
  nextCursor: string | undefined,
  { plan, limitPerSecond, remaining }: Allowance,
): Envelope {
  const paging = nextCursor === undefined ? { hasMore: false } : { hasMore: true, nextCursor };
  const meta = JSON.stringify({ ...paging, coverage }).slice(0, -1);
  const rateLimit = JSON.stringify({ plan, limitPerSecond, remaining });
  const digest = hash('sha256', `${hash('sha256', records, 'base64url')}${meta}`, 'base64url');
  return {
    etag: `W/"${digest.slice(0, 22)}"`,
    body: () =>
      Buffer.concat([
        Buffer.from('{"data":['),
        records,
        Buffer.from(`],"meta":${meta},"rateLimit":${rateLimit}}}`),
      ]),
  };
}
