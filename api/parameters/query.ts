import { hash } from 'node:crypto';
import type { Condition } from '../../clickhouse/conditions/condition.ts';
import type { StationRange } from '../../clickhouse/model/time-window.ts';
import type { Selection } from '../../clickhouse/observations/selection.ts';
import type { StationFilters } from '../../clickhouse/stations/known-stations.ts';
import { compileSchema, type InvalidValue, type ValidationResult } from '../../clickhouse/validation.ts';
import { invalidParameters } from '../problem.ts';
import type { Plan } from '../rate-limit/rate-limit.ts';
import { type Positions, readCursor } from './cursor.ts';
import { type About, type EndpointName, type Parameter, ParameterError } from './parameter.ts';
import { PARAMETERS, type StatisticsRequest } from './table.ts';

/** What the parameters of an endpoint ask the archive for. */
type Asked = {
  readonly observations: Selection;
  /** For the first METAR of each hour: `fields` is always present. */
  readonly hourly: Pick<Selection, 'stations' | 'from' | 'to' | 'condition'> & {
    readonly fields: readonly string[];
  };
  readonly statistics: StatisticsRequest;
  readonly coverage: StationRange;
  readonly stations: StationFilters;
};

/** A valid query string. */
export type Query<Endpoint extends EndpointName> = {
  readonly asked: Asked[Endpoint];
  /** The same for every way to write the same filters. Excludes page size and API key. */
  readonly filtersKey: string;
  readonly limit: number;
  /** Whether the answer must cover the whole range: nothing is cut unless `limit` was given. */
  readonly isWhole: boolean;
  /** The last element of the previous page; `undefined` for the first page. */
  readonly after: Endpoint extends keyof Positions ? Positions[Endpoint] | undefined : undefined;
};

/** Which `limit` applies to a request: that of a page, or that of a stream by plan. */
export type LimitKind = 'page' | Plan;

type Limit = Pick<About, 'description' | 'schema'>;

/** `limit` of the streaming formats. The larger plans default to their maximum. */
export const STREAM_LIMITS = {
  sandbox: {
    description: 'a whole number from 1 to 10,000: keys of the plan sandbox are not for bulk export',
    schema: { type: 'string', wholeNumber: [1, 10_000], default: '1000' },
  },
  starter: {
    description: 'a whole number from 1 to 1,000,000',
    schema: { type: 'string', wholeNumber: [1, 1_000_000], default: '1000000' },
  },
  professional: {
    description: 'a whole number from 1 to 10,000,000',
    schema: { type: 'string', wholeNumber: [1, 10_000_000], default: '10000000' },
  },
} as const satisfies Readonly<Record<Plan, Limit>>;

export function limitKindOf(format: string, plan: Plan | 'none'): LimitKind {
  return format === 'json' || plan === 'none' ? 'page' : plan;
}

/** Characters of the hash: 132 bits. */
const KEY_LENGTH = 22;

/** The parameters of an endpoint, in the order of the table. */
export function parametersOf(endpoint: EndpointName): readonly NamedParameter[] {
  return Object.entries(PARAMETERS).flatMap(([name, row]) => {
    const variant = row.of[endpoint];
    return variant === undefined
      ? []
      : [{ ...row, ...variant, name, isRequired: variant.isRequired ?? false }];
  });
}

export type NamedParameter = Parameter & { readonly name: string; readonly isRequired: boolean };

/** The syntax checks of all parameters, each compiled on first use. */
const checks = new Map<string, (values: unknown) => ValidationResult<unknown>>();

function syntaxCheck(endpoint: EndpointName, parameters: readonly NamedParameter[], limit: LimitKind) {
  const key = `${endpoint} ${limit} ${parameters.map(({ name }) => name)}`;
  const known = checks.get(key);
  if (known !== undefined) return known;
  const properties = parameters.map((parameter) => {
    const { name, description, schema } =
      parameter.name === 'limit' && limit !== 'page' ? { ...parameter, ...STREAM_LIMITS[limit] } : parameter;
    return [name, { ...schema, description }];
  });
  const check = compileSchema<unknown>({
    type: 'object',
    properties: Object.fromEntries(properties),
    required: parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  });
  checks.set(key, check);
  return check;
}

/**
 * Reads a query string by the table of parameters. Reports the errors of all parameters together.
 *
 * @param defaults of optional parameters, where they depend on the time
 * @throws 400 invalid_parameter; if there are none, what `readCursor` throws
 */
export function readQuery<Endpoint extends EndpointName>(
  endpoint: Endpoint,
  querystring: string,
  limit: LimitKind = 'page',
  defaults: Readonly<Record<string, string>> = {},
): Query<Endpoint> {
  const parameters = parametersOf(endpoint);
  const lists = new Set(parameters.filter(({ schema }) => schema.type === 'array').map(({ name }) => name));
  const { texts, repeated } = splitQuery(querystring, lists);
  const written: Record<string, string | readonly string[]> = Object.fromEntries(
    // Empty items stay: the schema rejects them.
    [...texts].map(([name, text]) => [name, lists.has(name) ? [...new Set(text.split(','))] : text]),
  );
  Object.assign(written, { ...expansions(parameters, written), ...written });
  const syntax = syntaxCheck(endpoint, parameters, limit)(written);
  const syntaxErrors = syntax.kind === 'invalid' ? syntax.errors : [];
  const errors: InvalidValue[] = [...repeated, ...syntaxErrors];
  const values = new Map<string, unknown>();
  for (const parameter of parameters) {
    const { name } = parameter;
    const text = written[name] ?? defaults[name];
    if (text === undefined || syntaxErrors.some((error) => error.name === name)) continue;
    const read = readValue(parameter, text);
    if (read.kind === 'valid') values.set(name, read.value);
    else errors.push(...read.errors);
  }
  errors.push(...parameters.flatMap(({ check }) => check?.({ texts, defaults, values }) ?? []));
  if (errors.length > 0) throw invalidParameters(errors);

  const filters = parameters.filter(({ isPaging }) => !isPaging);
  const given = filters
    .filter(({ name }) => values.has(name))
    .map((parameter) => ({ ...parameter, value: values.get(parameter.name) as never }));
  const meaning = given.map(({ name, key, value }) => [name, key === undefined ? value : key(value)]);
  const filtersKey = hash('sha256', JSON.stringify([endpoint, ...meaning]), 'base64url').slice(0, KEY_LENGTH);
  const cursor = texts.get('cursor');
  const filterNames = filters.map(({ name }) => name);
  return {
    asked: allOf(given.map(({ name, select, value }) => select?.(value) ?? { [name]: value })),
    filtersKey,
    limit: Number(written.limit),
    isWhole: (limit === 'starter' || limit === 'professional') && !texts.has('limit'),
    after:
      cursor === undefined
        ? undefined
        : readCursor(endpoint as keyof Positions, cursor, filtersKey, filterNames),
  } as Query<Endpoint>;
}

function readValue(
  { name, description, parse }: NamedParameter,
  written: string | readonly string[],
): ValidationResult<unknown> {
  try {
    const value: unknown = parse === undefined ? written : parse(written as never);
    if (value !== undefined) return { kind: 'valid', value };
    return { kind: 'invalid', errors: [{ name, detail: `must be ${description}` }] };
  } catch (error) {
    if (!(error instanceof ParameterError)) throw error;
    return { kind: 'invalid', errors: [{ name, detail: error.message }] };
  }
}

/** The parameters that others stand for. */
function expansions(
  parameters: readonly NamedParameter[],
  written: Readonly<Record<string, string | readonly string[]>>,
): Readonly<Record<string, string>> {
  const expanded = parameters.map((parameter) => {
    const text = parameter.expand === undefined ? undefined : written[parameter.name];
    const read = text === undefined ? undefined : readValue(parameter, text);
    return read?.kind === 'valid' ? parameter.expand?.(read.value as never) : {};
  });
  return Object.assign({}, ...expanded);
}

/** A report must meet the conditions of all parameters. */
function allOf(selections: readonly object[]): object {
  const conditions = selections.flatMap((each: { readonly condition?: Condition }) => each.condition ?? []);
  const all: object = Object.assign({}, ...selections);
  return conditions.length > 1 ? { ...all, condition: { kind: 'and', conditions } } : all;
}

/**
 * The text of each name, and the names given more than once. A list may be given as one text with commas, several
 * times, or both.
 */
function splitQuery(querystring: string, lists: ReadonlySet<string>) {
  const texts = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [name, value] of new URLSearchParams(querystring)) {
    const first = texts.get(name);
    if (first === undefined) texts.set(name, value);
    else if (lists.has(name)) texts.set(name, `${first},${value}`);
    else repeated.add(name);
  }
  const detail = 'is given more than once: write it once';
  return { texts, repeated: [...repeated].map((name): InvalidValue => ({ name, detail })) };
}
