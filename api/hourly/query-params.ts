import { canonicalCondition } from '../../clickhouse/conditions/canonical-condition.ts';
import type { Condition } from '../../clickhouse/conditions/condition.ts';
import type { HourlyRequest } from '../../clickhouse/hourly/hourly-statement.ts';
import { hashFilters } from '../http/request/cursor-text.ts';
import {
  type ParameterSchemas,
  requireAllValid,
  splitLists,
  splitQuery,
} from '../http/request/query-string.ts';
import { FILTER_SCHEMAS } from '../observations/filters.ts';
import { compileForLimits, type LimitKind, mustBeWhole } from '../observations/limits.ts';
import { PARAMETERS as OBSERVATIONS, readFilter } from '../observations/query-params.ts';
import { parseTimeRange } from '../observations/timestamp.ts';

/** What a request selects: the part of the query that a cursor is bound to (D23). */
export type HourlyFilters = {
  readonly stations: readonly string[];
  /** Seconds since 1970-01-01T00:00:00Z, `[from, to)`. */
  readonly from: number;
  readonly to: number;
  readonly fields: readonly string[];
  readonly filter?: Condition;
};

type HourlyQuery = {
  readonly filters: HourlyFilters;
  readonly limit: number;
  /** Whether the answer must hold the whole range: nothing is cut unless `limit` was given (D33). */
  readonly isWhole: boolean;
  readonly cursor?: string;
};

/** What a row holds where no fields are named (D46). */
const DEFAULT_FIELDS = [
  ...['temp_c', 'dewp_c', 'rh_pct', 'wdir', 'wspd_kt', 'wgst_kt', 'visib_m', 'ceiling_ft', 'altim_hpa'],
  ...['slp_hpa', 'wx', 'fltcat', 'pcp1h_in'],
];

export const PARAMETERS = {
  stations: FILTER_SCHEMAS.stations,
  from: { ...FILTER_SCHEMAS.from, purpose: 'First time that is included: the first nominal hour from it on' },
  to: FILTER_SCHEMAS.to,
  filter: {
    ...FILTER_SCHEMAS.filter,
    purpose: 'Hours for whose first METAR a condition is not true are left out',
  },
  fields: {
    ...FILTER_SCHEMAS.fields,
    purpose: 'Fields of a row, in this order',
    description: 'names of decoded and derived fields separated by commas, as in temp_c,ceiling_ft',
    default: DEFAULT_FIELDS,
  },
  limit: OBSERVATIONS.limit,
  cursor: OBSERVATIONS.cursor,
} as const satisfies ParameterSchemas;

export const REQUIRED = ['stations', 'from', 'to'] as const;

/** The parameters with the right syntax, lists split; times and the condition are still text. */
type QueryValues = {
  readonly stations: readonly string[];
  readonly fields: readonly string[];
  readonly limit: string;
  readonly cursor?: string;
};

const validators = compileForLimits<QueryValues>(PARAMETERS, REQUIRED);

/** Parses the query string. All invalid parameters are reported together. */
export function parseHourlyQuery(query: string, limitKind: LimitKind): HourlyQuery {
  const { values, repeated } = splitQuery(query, PARAMETERS);
  const { checked, range, condition } = requireAllValid(repeated, {
    checked: validators[limitKind](splitLists(values, PARAMETERS)),
    range: parseTimeRange(values.get('from'), values.get('to')),
    condition: readFilter(values.get('filter')),
  });
  const { stations, fields, limit, cursor } = checked;
  return {
    filters: { stations, fields, ...range, ...(condition && { filter: condition }) },
    limit: Number(limit),
    isWhole: mustBeWhole(limitKind, values),
    ...(cursor !== undefined && { cursor }),
  };
}

/** The same for each way to write the same filters. */
export function hourlyKey({ stations, from, to, fields, filter }: HourlyFilters): Buffer {
  return hashFilters([stations.toSorted(), from, to, fields, filter && canonicalCondition(filter)]);
}

export function toHourlyRequest({ filter, ...filters }: HourlyFilters, limit: number): HourlyRequest {
  return { ...filters, limit, condition: filter };
}
