import { type Day, FIRST_DAY, firstProvisionalDay } from '../../clickhouse/model/day.ts';
import { compileSchema } from '../../clickhouse/validation/schema-validator.ts';
import { requireAllValid, splitLists, splitQuery } from '../http/request/query-string.ts';
import { PARAMETERS as OBSERVATIONS } from '../observations/query-params.ts';
import { BEGINS_TOO_LATE, parseTimeRange } from '../observations/timestamp.ts';

export type CoverageQuery = {
  /** Distinct codes in the order first requested. */
  readonly stations: readonly string[];
  /** Seconds since 1970-01-01T00:00:00Z, inclusive. */
  readonly from: number;
  /** Seconds since 1970-01-01T00:00:00Z, exclusive. */
  readonly to: number;
};

/** Every parameter of the coverage endpoint. A parameter that is not here is refused. */
export const PARAMETERS = {
  stations: OBSERVATIONS.stations,
  from: OBSERVATIONS.from,
  to: OBSERVATIONS.to,
} as const;

export const REQUIRED = ['stations'] as const;

const validate = compileSchema<Pick<CoverageQuery, 'stations'>>({
  type: 'object',
  properties: PARAMETERS,
  required: REQUIRED,
  additionalProperties: false,
});

/**
 * Parses the query string. All invalid parameters are reported together. The default range is all days that are at least
 * 72 hours old (D34).
 */
export function parseCoverageQuery(query: string, now: Date): CoverageQuery {
  const { values, repeated } = splitQuery(query, PARAMETERS);
  const { checked, range } = requireAllValid(repeated, {
    checked: validate(splitLists(values, PARAMETERS)),
    range: parseRange(values.get('from'), values.get('to'), now),
  });
  return { stations: checked.stations, ...range };
}

function parseRange(from: string | undefined, to: string | undefined, now: Date) {
  const defaultFrom = midnight(FIRST_DAY);
  const defaultTo = midnight(firstProvisionalDay(now));
  const range = parseTimeRange(from ?? defaultFrom, to ?? defaultTo);
  if (range.kind === 'valid' || (from !== undefined && to !== undefined)) return range;
  // The error of a range that ends before it begins names a bound that the request has.
  const errors = range.errors.map(({ name, detail }) => {
    if (detail !== BEGINS_TOO_LATE) return { name, detail };
    return from === undefined
      ? { name: 'to', detail: `must be later than ${defaultFrom}, the default of from` }
      : { name: 'from', detail: `must be earlier than ${defaultTo}, the default of to` };
  });
  return { kind: 'invalid' as const, errors };
}

function midnight(day: Day): string {
  return `${day}T00:00:00Z`;
}
