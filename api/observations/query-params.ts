import { ICAO_CODE } from '../../clickhouse/model/report.ts';
import {
  compileSchema,
  type InvalidValue,
  type ValidationResult,
} from '../../clickhouse/schema-validator.ts';
import { Problem } from '../http/problem.ts';
import { parseTimestamp } from './timestamp.ts';

/** What a request asks for: the part that a cursor is bound to (D23). */
export type Filters = {
  /** Distinct codes in the order first requested. */
  readonly stations: readonly string[];
  /** Milliseconds since 1970-01-01T00:00:00Z, inclusive. */
  readonly from: number;
  /** The same, exclusive. */
  readonly to: number;
  readonly type: 'all' | 'metar' | 'speci';
  readonly include: readonly ('raw' | 'decoded')[];
};

export type ObservationsQuery = {
  readonly filters: Filters;
  readonly limit: number;
  readonly cursor?: string;
};

const MAX_STATIONS = 1000;
const MAX_LIMIT = 10_000;

/** A query string can hold thousands of unknown names; so many are answered. */
const FAULTS_NAMED = 100;

/** The query string as text: lists are split, and nothing is read yet. */
type Form = Pick<Filters, 'stations' | 'type' | 'include'> & {
  readonly from: string;
  readonly to: string;
  readonly limit: string;
  readonly cursor?: string;
};

/** Every parameter of the contract. What is not here is refused. */
export const PARAMETERS = {
  stations: {
    description: '1 to 1,000 uppercase ICAO codes separated by commas, as in KJFK,EGLL',
    type: 'array',
    maxItems: MAX_STATIONS,
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
  limit: { description: 'a whole number from 1 to 10,000', type: 'string', format: 'limit', default: '1000' },
  cursor: {
    description: 'the nextCursor of the page before; leave it out for the first page',
    type: 'string',
    minLength: 1,
  },
} as const;

const check = compileSchema<Form>(
  {
    type: 'object',
    properties: PARAMETERS,
    required: ['stations', 'from', 'to'],
    additionalProperties: false,
  },
  { limit: (text: string) => /^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_LIMIT },
);

/** Reads the query string. Every faulty parameter is reported at once (D18–D22). */
export function parseQuery(query: string): ObservationsQuery {
  const { values, faults: repeated } = readQuery(query);
  const form = check(splitLists(values));
  const range = readRange(values);
  if (form.kind === 'faulty' || range.kind === 'faulty' || repeated.length > 0)
    throw invalidParameters([repeated, faultsOf(form), faultsOf(range)].flat());

  const { stations, type, include, limit, cursor } = form.value;
  const filters = { stations, type, include, ...range.value };
  return { filters, limit: Number(limit), ...(cursor !== undefined && { cursor }) };
}

function readQuery(query: string): { values: ReadonlyMap<string, string>; faults: readonly InvalidValue[] } {
  const values = new Map<string, string>();
  const faults = new Map<string, InvalidValue>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (values.has(name)) faults.set(name, { name, detail: 'is given more than once' });
    else values.set(name, value);
  }
  return { values, faults: [...faults.values()] };
}

/** Duplicates in a list collapse; empty items stay, to be refused. */
function splitLists(values: ReadonlyMap<string, string>): unknown {
  const split = ([name, value]: [string, string]) =>
    name === 'stations' || name === 'include' ? [name, [...new Set(value.split(','))]] : [name, value];
  return Object.fromEntries([...values].map(split));
}

type Range = Pick<Filters, 'from' | 'to'>;

function readRange(values: ReadonlyMap<string, string>): ValidationResult<Range> {
  const faults: InvalidValue[] = [];
  const [from, to] = ['from', 'to'].map((name) => {
    const text = values.get(name);
    const read = text === undefined ? undefined : parseTimestamp(text);
    if (read?.kind === 'fault') faults.push({ name, detail: read.detail });
    return read?.kind === 'time' ? read.milliseconds : undefined;
  });
  if (from !== undefined && to !== undefined && from >= to)
    faults.push({ name: 'from', detail: 'must be earlier than to' });
  // A bound that is missing is named by the form.
  if (from === undefined || to === undefined || faults.length > 0) return { kind: 'faulty', faults };
  return { kind: 'wellFormed', value: { from, to } };
}

function faultsOf(checked: ValidationResult<unknown>): readonly InvalidValue[] {
  return checked.kind === 'faulty' ? checked.faults : [];
}

function invalidParameters(faults: readonly InvalidValue[]): Problem {
  const named = faults
    .slice(0, FAULTS_NAMED)
    .map(({ name, detail }) => ({ parameter: name.slice(0, 64), detail }));
  const [first] = named;
  const text =
    named.length === 1 ? `${first?.parameter} ${first?.detail}.` : `${faults.length} parameters are faulty.`;
  return new Problem('invalid_parameter', text, { errors: named });
}
