import { compileSchema } from '../../clickhouse/validation/schema-validator.ts';
import type { ParameterSchema, ParameterSchemas } from '../http/request/query-string.ts';
import type { Plan } from '../rate-limit/plans.ts';

/** `limit` of a page. */
export const PAGE_LIMIT = {
  purpose: 'Size of a page at most',
  description: 'a whole number from 1 to 10,000',
  type: 'string',
  wholeNumber: [1, 10_000],
  default: '1000',
} as const satisfies ParameterSchema;

/** `limit` of the formats that are streams, by plan (D33). The default of the larger plans is all that they allow. */
export const STREAM_LIMITS = {
  starter: {
    ...PAGE_LIMIT,
    description: 'a whole number from 1 to 1,000,000',
    wholeNumber: [1, 1_000_000],
    default: '1000000',
  },
  professional: {
    ...PAGE_LIMIT,
    description: 'a whole number from 1 to 10,000,000',
    wholeNumber: [1, 10_000_000],
    default: '10000000',
  },
  sandbox: {
    ...PAGE_LIMIT,
    description: 'a whole number from 1 to 10,000: keys of the plan sandbox are not for bulk export',
  },
} as const;

/** Which `limit` a request may have. */
export type LimitKind = 'page' | keyof typeof STREAM_LIMITS;

/** A check of the parameters for each kind of limit. */
export function compileForLimits<Values>(parameters: ParameterSchemas, required: readonly string[]) {
  const compileWith = (limit: object) =>
    compileSchema<Values>({
      type: 'object',
      properties: { ...parameters, limit },
      required,
      additionalProperties: false,
    });
  return {
    page: compileWith(PAGE_LIMIT),
    sandbox: compileWith(STREAM_LIMITS.sandbox),
    starter: compileWith(STREAM_LIMITS.starter),
    professional: compileWith(STREAM_LIMITS.professional),
  } as const satisfies Readonly<Record<LimitKind, unknown>>;
}

export function limitKindOf(format: string, plan: Plan | 'none'): LimitKind {
  return format === 'json' || plan === 'none' ? 'page' : plan;
}

/** Whether the answer must hold the whole range: a larger plan's is cut only where the request has a limit (D33). */
export function mustBeWhole(kind: LimitKind, values: ReadonlyMap<string, string>): boolean {
  return (kind === 'starter' || kind === 'professional') && !values.has('limit');
}
