import { createHash, hash } from 'node:crypto';
import type { Allowance } from '../../rate-limit/rate-limit.ts';

export type Envelope = {
  readonly etag: string;
  /** The body in parts: a 304 needs none. */
  body(): readonly Buffer[];
};

/** The elements of `data` as JSON text: a comma belongs between two parts. */
export type Elements = {
  parts(): readonly Buffer[];
  /** What `digestParts` makes of the parts. */
  digest(): string;
};

const START = Buffer.from('{"data":[');
const COMMA = Buffer.from(',');

/**
 * The response body `{"data":[…],"meta":{…}}`. The entity tag covers everything but `meta.rateLimit`, which comes last
 * and differs in every response (D31).
 *
 * @param meta the members of the object but `rateLimit`, as JSON text
 */
export function buildEnvelope(
  data: Elements,
  meta: string,
  { plan, limitPerSecond, remaining }: Allowance,
): Envelope {
  const digest = hash('sha256', `${data.digest()}${meta}`, 'base64url');
  return {
    etag: `W/"${digest.slice(0, 22)}"`,
    body() {
      const rateLimit = `"rateLimit":${JSON.stringify({ plan, limitPerSecond, remaining })}`;
      const end = `],"meta":{${meta}${meta === '' ? '' : ','}${rateLimit}}}`;
      return [START, ...separate(data.parts()), Buffer.from(end)];
    },
  };
}

export function elementsOf(texts: readonly string[]): Elements {
  const parts = [Buffer.from(texts.join(','))];
  return { parts: () => parts, digest: () => digestParts(parts) };
}

/** The members of `meta` about further pages, as JSON text. `nextCursor` is absent on the last page (D11). */
export function formatPaging(nextCursor: string | undefined): string {
  const paging = nextCursor === undefined ? { hasMore: false } : { hasMore: true, nextCursor };
  return JSON.stringify(paging).slice(1, -1);
}

/** The same for the same elements, however they are divided into parts. */
export function digestParts(parts: readonly Buffer[]): string {
  const digest = createHash('sha256');
  for (const part of separate(parts)) digest.update(part);
  return digest.digest('base64url');
}

function separate(parts: readonly Buffer[]): readonly Buffer[] {
  return parts.flatMap((part, n) => (n === 0 ? [part] : [COMMA, part]));
}
