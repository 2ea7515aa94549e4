import { createHash, hash } from 'node:crypto';
import type { Allowance } from '../../rate-limit/rate-limit.ts';

export type Envelope = {
  readonly etag: string;
  /** The body in parts: a 304 needs none. */
  body(): readonly Buffer[];
};

/** The elements of `data` as JSON text: a comma belongs between two parts. */
export type ElementTexts = {
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
export function envelopeOf(
  data: ElementTexts,
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

/** An envelope of elements that are texts. */
export function buildEnvelope(
  data: readonly string[],
  meta: Readonly<Record<string, unknown>>,
  allowance: Allowance,
): Envelope {
  const parts = [Buffer.from(data.join(','))];
  const elements = { parts: () => parts, digest: () => digestParts(parts) };
  return envelopeOf(elements, JSON.stringify(meta).slice(1, -1), allowance);
}

/** `nextCursor` is absent on the last page (D11). */
export function pagingOf(nextCursor: string | undefined): Readonly<Record<string, unknown>> {
  return nextCursor === undefined ? { hasMore: false } : { hasMore: true, nextCursor };
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
