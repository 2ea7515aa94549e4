import type { Condition } from '../../clickhouse/conditions/condition.ts';
import { ConditionError } from '../../clickhouse/conditions/condition-error.ts';
import { parseCondition } from '../../clickhouse/conditions/parse-condition.ts';
import type { ValidationResult } from '../../clickhouse/validation/schema-validator.ts';
import {
  type ParameterSchemas,
  requireAllValid,
  splitLists,
  splitQuery,
} from '../http/request/query-string.ts';
import { FILTER_SCHEMAS, type Filters } from './filters.ts';
import { compileForLimits, type LimitKind, mustBeWhole, PAGE_LIMIT } from './limits.ts';
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
  limit: PAGE_LIMIT,
  cursor: {
    purpose: 'Continues a walk with the same filters',
    description: 'the nextCursor of the page before; leave it out for the first page',
    type: 'string',
    minLength: 1,
  },
} as const satisfies ParameterSchemas;

export const REQUIRED = ['stations', 'from', 'to'] as const;

const validators = compileForLimits<QueryValues>(PARAMETERS, REQUIRED);

/** Parses the query string. All invalid parameters are reported together (D18–D22). */
export function parseQuery(query: string, limitKind: LimitKind = 'page'): ObservationsQuery {
  const { values, repeated } = splitQuery(query, PARAMETERS);
  const { checked, range, condition } = requireAllValid(repeated, {
    checked: validators[limitKind](splitLists(values, PARAMETERS)),
    range: parseTimeRange(values.get('from'), values.get('to')),
    condition: readFilter(values.get('filter')),
    fields: checkFields(values),
  });
  const { limit, cursor, filter: _text, ...filters } = checked;
  return {
    filters: { ...filters, ...range, ...(condition && { filter: condition }) },
    limit: Number(limit),
    isWhole: mustBeWhole(limitKind, values),
    ...(cursor !== undefined && { cursor }),
  };
}

/** The condition of the parameter `filter` (D42), or what is wrong with it and where. */
export function readFilter(text: string | undefined): ValidationResult<Condition | undefined> {
  if (text === undefined) return { kind: 'valid', value: undefined };
  try {
    return { kind: 'valid', value: parseCondition(text) };
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    return { kind: 'invalid', errors: [{ name: 'filter', detail: error.message }] };
  }
}

function checkFields(values: ReadonlyMap<string, string>): ValidationResult<undefined> {
  if (!values.has('fields') || values.get('include')?.split(',').includes('decoded') === true)
    return { kind: 'valid', value: undefined };
  const detail = 'chooses among the decoded fields: write include=decoded or include=raw,decoded';
  return { kind: 'invalid', errors: [{ name: 'fields', detail }] };
}
