import type { InvalidValue, ValidationResult } from '../../../clickhouse/validation/schema-validator.ts';
import { Problem } from '../../problem.ts';

/** A query string can have thousands of unknown names; the response names this many. */
const MAX_ERRORS = 100;

/**
 * The schema of a query parameter (see `compileSchema`), which documents show too: what the parameter does, and what to
 * write.
 */
export type ParameterSchema = {
  readonly purpose: string;
  readonly description: string;
  readonly wholeNumber?: readonly [least: number, most: number];
  readonly decimalNumber?: readonly [least: number, most: number];
  readonly [keyword: string]: JsonValue | undefined;
};

type JsonValue = string | number | boolean | readonly JsonValue[] | { readonly [name: string]: JsonValue };

export type ParameterSchemas = Readonly<Record<string, ParameterSchema>>;

type QueryString = {
  /** The value of each name. */
  readonly values: ReadonlyMap<string, string>;
  /** Names that are given more than once, and are no lists. */
  readonly repeated: readonly InvalidValue[];
};

/** @param schemas whose lists may be given as one text with commas, several times, or both */
export function splitQuery(query: string, schemas: ParameterSchemas = {}): QueryString {
  const values = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const first = values.get(name);
    if (first === undefined) values.set(name, value);
    else if (schemas[name]?.type === 'array') values.set(name, `${first},${value}`);
    else repeated.add(name);
  }
  return {
    values,
    repeated: [...repeated].map((name) => ({ name, detail: 'is given more than once: write it once' })),
  };
}

/** Splits the values of lists at commas and removes duplicates. Empty items stay, for the schema refuses them. */
export function splitLists(values: ReadonlyMap<string, string>, schemas: ParameterSchemas): unknown {
  const split = ([name, value]: [string, string]) =>
    schemas[name]?.type === 'array' ? [name, [...new Set(value.split(','))]] : [name, value];
  return Object.fromEntries([...values].map(split));
}

/**
 * The values of all checks of one query string. Where one fails, the mistakes of all are reported together.
 *
 * @param repeated see `splitQuery`
 */
export function requireAllValid<Values extends Readonly<Record<string, unknown>>>(
  repeated: readonly InvalidValue[],
  checks: { readonly [Name in keyof Values]: ValidationResult<Values[Name]> },
): Values {
  const results: readonly [string, ValidationResult<unknown>][] = Object.entries(checks);
  const errors = results.flatMap(([, result]) => (result.kind === 'invalid' ? result.errors : []));
  const values = results.flatMap(([name, result]) => (result.kind === 'valid' ? [[name, result.value]] : []));
  if (repeated.length > 0 || values.length < results.length)
    throw invalidParameters([...repeated, ...errors]);
  return Object.fromEntries(values);
}

/** @param errors at least one */
export function invalidParameters(errors: readonly InvalidValue[]): Problem {
  const named = errors
    .slice(0, MAX_ERRORS)
    .map(({ name, detail }) => ({ parameter: name.slice(0, 64), detail }));
  const [first] = named;
  const detail =
    named.length === 1
      ? `${first?.parameter || 'A parameter without a name'} ${first?.detail}.`
      : `${errors.length} parameters are invalid.`;
  return new Problem('invalid_parameter', detail, { errors: named });
}
