import type { InvalidValue } from '../../clickhouse/validation.ts';

/** An endpoint that has parameters. */
export type EndpointName = 'observations' | 'hourly' | 'statistics' | 'coverage' | 'stations';

/** JSON Schema of a text, with the keywords that `compileSchema` supports. */
type Schema = {
  readonly type?: 'string' | 'array';
  readonly wholeNumber?: readonly [least: number, most: number];
  readonly decimalNumber?: readonly [least: number, most: number];
  readonly [keyword: string]: JsonValue | undefined;
};

type JsonValue = string | number | boolean | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/** What documents and errors say about a parameter. */
export type About = {
  readonly purpose: string;
  /** What to write; also the error message for anything else. */
  readonly description: string;
  readonly schema: Schema;
};

/** How a parameter of an endpoint differs from its row. */
type Variant = Partial<About> & { readonly isRequired?: true };

/** The parameters of a request. */
export type GivenParameters = {
  /** As written, lists with commas. */
  readonly texts: ReadonlyMap<string, string>;
  /** Time-dependent defaults of optional parameters. */
  readonly defaults: Readonly<Record<string, string>>;
  /** The values as read, including defaults but not invalid ones. */
  readonly values: ReadonlyMap<string, unknown>;
};

/** A row of the table of parameters. */
export type Parameter<Written = never, Value = never> = About & {
  /** The endpoints that have it, each with its differences. */
  readonly of: { readonly [Name in EndpointName]?: Variant };
  /**
   * The value of a text, or of the items of a list, that the schema accepts; `undefined` if it breaks a rule that is in
   * the description but not in the schema.
   *
   * @throws {ParameterError}
   */
  readonly parse?: (written: Written) => Value | undefined;
  /** The other parameters that a value stands for: texts by name. */
  readonly expand?: (value: Value) => Readonly<Record<string, string>>;
  /** An error that depends on other parameters. */
  readonly check?: (request: GivenParameters) => InvalidValue | undefined;
  /** Whether it says which part of the answer to send. All others are filters: cursors are bound to them. */
  readonly isPaging?: true;
  /** Its part of the key of cursors and cached data: the same for every way to write the value. Default: the value. */
  readonly key?: (value: Value) => unknown;
  /** What it asks the archive for: members of `Asked` (query.ts). Default: the value, by the name of the parameter. */
  readonly select?: (value: Value) => object;
  /** The example in the documentation. */
  readonly example?: JsonValue;
  /** Values near the border between valid and invalid, for tests with random requests. */
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
};

/** Keeps the types of a row's functions together. */
export function parameter<Written extends string | readonly string[], Value = Written>(
  row: Parameter<Written, Value>,
): Parameter {
  return row as unknown as Parameter;
}

/** A mistake in the value of a parameter. The message follows its name. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
}
