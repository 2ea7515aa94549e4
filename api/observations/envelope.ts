import type { Coverage } from '../../clickhouse/coverage/coverage.ts';
import { buildEnvelope as build, type Envelope, pagingOf } from '../http/envelope.ts';
import type { Allowance } from '../rate-limit/rate-limit.ts';

/** The response body of the specification (2.2, 2.3). */
export function buildEnvelope(
  records: readonly string[],
  coverage: Coverage,
  nextCursor: string | undefined,
  allowance: Allowance,
): Envelope {
  return build(records, { ...pagingOf(nextCursor), coverage }, allowance);
}
