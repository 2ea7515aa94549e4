import { createHash, hash } from 'node:crypto';
import type { Allowance } from '../rate-limit/rate-limit.ts';
import type { PageOfBlocks } from './record-block.ts';

export type Envelope = {
  readonly etag: string;
  body(): Buffer;
};

/**
 * The response body of the specification (2.2, 2.3). The records are JSON text already and are copied once. The entity
 * tag covers everything but `meta.rateLimit`, which differs in every response (D31).
 *
 * @param coverage as JSON text
 */
export function buildEnvelope(
  page: Pick<PageOfBlocks, 'parts' | 'digest'>,
  coverage: string,
  nextCursor: string | undefined,
  { plan, limitPerSecond, remaining }: Allowance,
): Envelope {
  const paging = nextCursor === undefined ? '"hasMore":false' : `"hasMore":true,"nextCursor":"${nextCursor}"`;
  const meta = `${paging},"coverage":${coverage}`;
  const digest = hash('sha256', `${page.digest(digestOf)}${meta}`, 'base64url');
  return {
    etag: `W/"${digest.slice(0, 22)}"`,
    body: () => {
      const rateLimit = JSON.stringify({ plan, limitPerSecond, remaining });
      return Buffer.concat([
        START,
        ...page.parts().flatMap((part, n) => (n === 0 ? [part] : [COMMA, part])),
        Buffer.from(`],"meta":{${meta},"rateLimit":${rateLimit}}}`),
      ]);
    },
  };
}

const START = Buffer.from('{"data":[');
const COMMA = Buffer.from(',');

/** The same for the same records, whatever blocks they are in. */
function digestOf(parts: readonly Buffer[]): string {
  const digest = createHash('sha256');
  for (const [n, part] of parts.entries()) {
    if (n > 0) digest.update(COMMA);
    digest.update(part);
  }
  return digest.digest('base64url');
}
