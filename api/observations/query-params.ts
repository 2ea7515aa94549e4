import type { Condition } from '../../clickhouse/conditions/condition.ts';
import { ConditionError } from '../../clickhouse/conditions/condition-error.ts';
import { parseCondition } from '../../clickhouse/conditions/parse-condition.ts';
import { compileSchema, type InvalidValue } from '../../clickhouse/schema-validator.ts';
import {
  invalidParameters,
  type ParameterSchemas,
  splitLists,
  splitQuery,
} from '../http/request/query-string.ts';
import { FILTER_SCHEMAS, type Filters } from './filters.ts';
import { parseTimeRange } from './timestamp.ts';

type ObservationsQuery = {
  readonly filters: Filters;
  readonly limit: number;
  /** Whether the answer must hold the whole range: nothing is cut unless `limit` was given (D33). */
  readonly isWhole: boolean;
  readonly cursor?: string;
};

/** The parameters with the right syntax, lists split; times and the condition are still text. */
type QueryValues = Omit<Filters, 'from' | 'to' | 'filter'> & {
  readonly from: string;
  readonly to: string;
  readonly filter?: string;
  readonly limit: string;
  readonly cursor?: string;
};

/** Every parameter of the specification. A parameter that is not here is refused. */
export const PARAMETERS = {
  ...FILTER_SCHEMAS,
  limit: {
    purpose: 'Size of a page at most',
    description: 'a whole number from 1 to 10,000',
    type: 'string',
    wholeNumber: [1, 10_000],
    default: '1000',
  },
  cursor: {
    purpose: 'Continues a walk with the same filters',
    description: 'the nextCursor of the page before; leave it out for the first page',
    type: 'string',
    minLength: 1,
  },
} as const satisfies ParameterSchemas;

export const REQUIRED = ['stations', 'from', 'to'] as const;

/** `limit` of the formats that are streams, by plan (D33). The default of the larger plans is all that they allow. */
export const STREAM_LIMITS = {
  starter: {
    ...PARAMETERS.limit,
    description: 'a whole number from 1 to 1,000,000',
    wholeNumber: [1, 1_000_000],
    default: '1000000',
  },
  professional: {
    ...PARAMETERS.limit,
    description: 'a whole number from 1 to 10,000,000',
    wholeNumber: [1, 10_000_000],
    default: '10000000',
  },
  sandbox: {
    ...PARAMETERS.limit,
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
    page: compileWith(PARAMETERS.limit),
    sandbox: compileWith(STREAM_LIMITS.sandbox),
    starter: compileWith(STREAM_LIMITS.starter),
    professional: compileWith(STREAM_LIMITS.professional),
  } as const satisfies Readonly<Record<LimitKind, unknown>>;
}
const validators = compileForLimits<QueryValues>(PARAMETERS, REQUIRED);

/** Parses the query string. All invalid parameters are reported together (D18–D22). */
export function parseQuery(query: string, limitKind: LimitKind = 'page'): ObservationsQuery {
  const { values, repeated } = splitQuery(query, PARAMETERS);
  const checked = validators[limitKind](splitLists(values, PARAMETERS));
  const range = parseTimeRange(values.get('from'), values.get('to'));
  const condition = readFilter(values.get('filter'));
  const chosen = fieldsWithoutDecoded(values);
  if (
    checked.kind === 'invalid' ||
    range.kind === 'invalid' ||
    condition.kind === 'invalid' ||
    chosen.length > 0 ||
    repeated.length > 0
  )
    throw invalidParameters([
      ...repeated,
      ...(checked.kind === 'invalid' ? checked.errors : []),
      ...(range.kind === 'invalid' ? range.errors : []),
      ...(condition.kind === 'invalid' ? condition.errors : []),
      ...chosen,
    ]);

  const { limit, cursor, filter: _text, ...filters } = checked.value;
  const isWhole = ['starter', 'professional'].includes(limitKind) && !values.has('limit');
  return {
    filters: { ...filters, ...range.value, ...(condition.value && { filter: condition.value }) },
    limit: Number(limit),
    isWhole,
    ...(cursor !== undefined && { cursor }),
  };
}

type ReadFilter =
  | { readonly kind: 'valid'; readonly value?: Condition }
  | { readonly kind: 'invalid'; readonly errors: readonly InvalidValue[] };

/** The condition of the parameter `filter` (D42), or what is wrong with it and where. */
export function readFilter(text: string | undefined): ReadFilter {
  if (text === undefined) return { kind: 'valid' };
  try {
    return { kind: 'valid', value: parseCondition(text) };
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    return { kind: 'invalid', errors: [{ name: 'filter', detail: error.message }] };
  }
}

function fieldsWithoutDecoded(values: ReadonlyMap<string, string>): readonly InvalidValue[] {
  if (!values.has('fields') || values.get('include')?.split(',').includes('decoded') === true) return [];
  return [
    {
      name: 'fields',
      detail: 'chooses among the decoded fields: write include=decoded or include=raw,decoded',
    },
  ];
}
