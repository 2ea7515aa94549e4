import { hash } from 'node:crypto';
import { compileSchema, type InvalidValue, type ValidationResult } from '../../clickhouse/validation.ts';
import { invalidParameters } from '../problem.ts';
import type { Plan } from '../rate-limit/rate-limit.ts';
import { readCursor } from './cursor.ts';
import type { QueryEndpoint } from './endpoint.ts';
import { type NamedParameter, parametersOf, STREAM_LIMITS } from './parameters.ts';
import { ParameterError } from './parse-values.ts';
import { canonicalValues, checkTogether, parseText, rangeOfDates, type Values } from './values.ts';

export type Query<Position = unknown> = {
  readonly values: Values;
  /** The same for every way to write the same filters. Excludes page size and API key. */
  readonly filtersKey: string;
  /** Identifies the data that the query reads: `filtersKey`, with the stations of the area and the end of the hours, if given. */
  readonly dataKey: string;
  readonly limit: number;
  /** Whether the answer must cover the whole range: nothing is cut unless `limit` was given. */
  readonly isWhole: boolean;
  /** The last element of the previous page; `undefined` for the first page. */
  readonly after: Position | undefined;
};

export type LimitKind = 'page' | Plan;

export function limitKindOf(format: string, plan: Plan | 'none'): LimitKind {
  return format === 'json' || plan === 'none' ? 'page' : plan;
}

/** Characters of the hash: 132 bits. */
const KEY_LENGTH = 22;

const checks = new Map<string, (values: unknown) => ValidationResult<unknown>>();

function syntaxCheck(endpoint: QueryEndpoint, parameters: readonly NamedParameter[], limit: LimitKind) {
  const key = [endpoint.name, limit, ...parameters.map(({ name }) => name)].join(' ');
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
 * @param defaults of those optional parameters whose default depends on the current time
 * @throws 400 invalid_parameter with all errors; if there is none, 400 invalid_cursor or cursor_mismatch
 */
export function readQuery<Position>(
  endpoint: QueryEndpoint<Position>,
  querystring: string,
  limit: LimitKind = 'page',
  defaults: Readonly<Record<string, string>> = {},
): Query<Position> {
  const parameters = parametersOf(endpoint.parameters);
  const lists = new Set(parameters.filter(({ schema }) => schema.type === 'array').map(({ name }) => name));
  const { texts, repeated } = splitQuery(querystring, lists);
  const given: Record<string, string | readonly string[]> = Object.fromEntries(
    // Empty items stay: the schema rejects them.
    [...texts].map(([name, text]) => [name, lists.has(name) ? [...new Set(text.split(','))] : text]),
  );
  const written = { ...endpoint.expand?.(given), ...given };
  const syntax = syntaxCheck(endpoint, parameters, limit)(written);
  const syntaxErrors = (syntax.kind === 'invalid' ? syntax.errors : []).map((error) => {
    const instead = error.name === 'format' ? pathsOf(endpoint) : endpoint.instead?.[error.name];
    return instead === undefined ? withCodesMeant(error) : { ...error, detail: instead };
  });
  const errors: InvalidValue[] = [...repeated, ...syntaxErrors];
  const read: Record<string, unknown> = {};
  const filters = parameters.filter(({ isPaging }) => !isPaging);
  for (const { name, description } of filters) {
    const text = written[name] ?? defaults[name];
    if (text === undefined || syntaxErrors.some((error) => error.name === name)) continue;
    try {
      const value = parseText(name, text, endpoint);
      if (value === undefined) errors.push({ name, detail: `must be ${description}` });
      else read[name === 'filter' ? 'condition' : name] = value;
    } catch (error) {
      if (!(error instanceof ParameterError)) throw error;
      errors.push({ name, detail: error.message });
    }
  }
  Object.assign(read, rangeOfDates(texts, read));
  const named = new Set(errors.map(({ name }) => name));
  const together = checkTogether({ endpoint, texts, defaults, values: read });
  errors.push(...together.filter(({ name }) => !named.has(name)));
  if (errors.length > 0) throw invalidParameters(errors);

  if (endpoint.takesAreas) read.stations ??= [];
  if (read.nearest !== undefined && !texts.has('radius_km')) read.radius_km = 1000;
  const meaning = [endpoint.name, ...Object.entries(canonicalValues(read))];
  const filtersKey = hash('sha256', JSON.stringify(meaning), 'base64url').slice(0, KEY_LENGTH);
  const cursor = texts.get('cursor');
  const filterNames = filters.map(({ name }) => name);
  return {
    values: read as Values,
    filtersKey,
    dataKey: filtersKey,
    limit: Number(written.limit),
    isWhole: limit !== 'page' && !texts.has('limit'),
    after: cursor === undefined ? undefined : readCursor(endpoint, cursor, filtersKey, filterNames),
  };
}

/** What to write in place of `format=csv`, where there are several. */
function pathsOf({ name, mediaTypes }: QueryEndpoint): string | undefined {
  const [first, ...others] = Object.keys(mediaTypes).map((format) => `${name}.${format}`);
  return others.length === 0 ? undefined : `is no parameter: write the path ${others.join(', ')} or ${first}`;
}

/** The error with the ICAO codes that wrong ones mean: `"kjfk"` is KJFK, and `"JFK"`, an IATA code, may be KJFK. */
function withCodesMeant({ name, detail }: InvalidValue): InvalidValue {
  if (name !== 'stations') return { name, detail };
  const codeMeant = (item: string, text: string) => {
    const code = text.toUpperCase();
    if (code === 'ALL') return `${item} (name each station; some endpoints take an area, as in country=CA)`;
    if (code.length === 4) return `${item} (write ${code})`;
    // Of the three letters that Canada prefixes with C, the first is Y or Z; the contiguous United States prefix K.
    return `${item} (did you mean ${/^[YZ]/.test(code) ? 'C' : 'K'}${code}?)`;
  };
  return { name, detail: detail.replaceAll(/"([a-z][a-z\d]{2,3})"/gi, codeMeant) };
}

/** A list may be given as one text with commas, several times, or both; other names only once. */
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
