import { ICAO_CODE } from '../../clickhouse/model/report.ts';
import { compileSchema } from '../../clickhouse/schema-validator.ts';
import { invalidParameters, splitLists, splitQuery } from '../http/request/query-string.ts';
import { parseTimeRange } from './timestamp.ts';

/** What a request selects: the part of the query that a cursor is bound to (D23). */
export type Filters = {
  /** Distinct codes in the order first requested. */
  readonly stations: readonly string[];
  /** Milliseconds since 1970-01-01T00:00:00Z, inclusive. */
  readonly from: number;
  /** Milliseconds since 1970-01-01T00:00:00Z, exclusive. */
  readonly to: number;
  readonly type: 'all' | 'metar' | 'speci';
  readonly include: readonly ('raw' | 'decoded')[];
};

export type ObservationsQuery = {
  readonly filters: Filters;
  readonly limit: number;
  readonly cursor?: string;
};

/** The parameters with the right syntax, lists split; times are still text. */
type QueryValues = Pick<Filters, 'stations' | 'type' | 'include'> & {
  readonly from: string;
  readonly to: string;
  readonly limit: string;
  readonly cursor?: string;
};

/** Every parameter of the specification. A parameter that is not here is refused. */
export const PARAMETERS = {
  stations: {
    description: '1 to 1,000 uppercase ICAO codes separated by commas, as in KJFK,EGLL',
    type: 'array',
    maxItems: 1000,
    items: { type: 'string', pattern: ICAO_CODE.source },
  },
  from: { description: 'an RFC 3339 timestamp in UTC, as in 2024-01-31T12:00:00Z', type: 'string' },
  to: { description: 'an RFC 3339 timestamp in UTC, as in 2024-02-01T12:00:00Z', type: 'string' },
  type: { description: 'all, metar or speci', enum: ['all', 'metar', 'speci'], default: 'all' },
  include: {
    description: 'raw, decoded or both, separated by a comma',
    type: 'array',
    items: { enum: ['raw', 'decoded'] },
    default: ['raw'],
  },
  limit: {
    description: 'a whole number from 1 to 10,000',
    type: 'string',
    wholeNumber: [1, 10_000],
    default: '1000',
  },
  cursor: {
    description: 'the nextCursor of the page before; leave it out for the first page',
    type: 'string',
    minLength: 1,
  },
} as const;

export const REQUIRED = ['stations', 'from', 'to'] as const;

/** `limit` of the forms that are streams (D33). */
export const STREAM_LIMITS = {
  stream: {
    ...PARAMETERS.limit,
    description: 'a whole number from 1 to 1,000,000',
    wholeNumber: [1, 1_000_000],
    default: '100000',
  },
  sandboxStream: {
    ...PARAMETERS.limit,
    description: 'a whole number from 1 to 10,000: keys of the plan sandbox are not for bulk export',
  },
} as const;

/** Which `limit` a request may have. */
export type LimitKind = 'page' | keyof typeof STREAM_LIMITS;

const LISTS = ['stations', 'include'];

const compileWith = (limit: object) =>
  compileSchema<QueryValues>({
    type: 'object',
    properties: { ...PARAMETERS, limit },
    required: REQUIRED,
    additionalProperties: false,
  });
const validators = {
  page: compileWith(PARAMETERS.limit),
  stream: compileWith(STREAM_LIMITS.stream),
  sandboxStream: compileWith(STREAM_LIMITS.sandboxStream),
} as const satisfies Readonly<Record<LimitKind, unknown>>;

/** Parses the query string. All invalid parameters are reported together (D18–D22). */
export function parseQuery(query: string, limitKind: LimitKind = 'page'): ObservationsQuery {
  const { values, repeated } = splitQuery(query);
  const checked = validators[limitKind](splitLists(values, LISTS));
  const range = parseTimeRange(values.get('from'), values.get('to'));
  if (checked.kind === 'invalid' || range.kind === 'invalid' || repeated.length > 0)
    throw invalidParameters([
      ...repeated,
      ...(checked.kind === 'invalid' ? checked.errors : []),
      ...(range.kind === 'invalid' ? range.errors : []),
    ]);

  const { stations, type, include, limit, cursor } = checked.value;
  const filters = { stations, type, include, ...range.value };
  return { filters, limit: Number(limit), ...(cursor !== undefined && { cursor }) };
}
