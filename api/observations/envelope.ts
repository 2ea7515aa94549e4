import { digestParts, type Envelope, envelopeOf, pagingOf } from '../http/response/envelope.ts';
import type { Allowance } from '../rate-limit/rate-limit.ts';
import type { PageOfBlocks } from './record-block.ts';

/**
 * The response body of the specification (2.2, 2.3).
 *
 * @param coverage as JSON text
 */
export function buildEnvelope(
  page: Pick<PageOfBlocks, 'parts' | 'digest'>,
  coverage: string,
  nextCursor: string | undefined,
  allowance: Allowance,
): Envelope {
  const paging = JSON.stringify(pagingOf(nextCursor)).slice(1, -1);
  const data = { parts: () => page.parts(), digest: () => page.digest(digestParts) };
  return envelopeOf(data, `${paging},"coverage":${coverage}`, allowance);
}
