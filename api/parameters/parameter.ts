import type { InvalidValue } from '../../clickhouse/validation/schema-validator.ts';

/** An endpoint that has parameters. */
export type EndpointName = 'observations' | 'hourly' | 'statistics' | 'coverage' | 'stations';

/** JSON Schema of a text, with the keywords of `compileSchema`. */
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
  /** What to write: also the text of the error for anything else. */
  readonly description: string;
  readonly schema: Schema;
};

/** How a parameter of an endpoint differs from its row. */
type Variant = Partial<About> & { readonly isRequired?: true };

/** What a request has. */
export type GivenParameters = {
  /** As it was written, lists with commas. */
  readonly texts: ReadonlyMap<string, string>;
  /** Of parameters that may be left out, where they depend on the time. */
  readonly defaults: Readonly<Record<string, string>>;
  /** What was read, defaults included; without what is wrong. */
  readonly values: ReadonlyMap<string, unknown>;
};

/** A row of the table of parameters. */
export type Parameter<Written = never, Value = never> = About & {
  /** The endpoints that have it, in which it is the same but for these differences. */
  readonly of: { readonly [Name in EndpointName]?: Variant };
  /**
   * The value of a text, or of the items of a list, that the schema accepts; `undefined` where the description says more
   * than the schema does, and this value does not follow it.
   *
   * @throws {ParameterError}
   */
  readonly parse?: (written: Written) => Value | undefined;
  /** What a value says in place of other parameters: texts by their names. */
  readonly expand?: (value: Value) => Readonly<Record<string, string>>;
  /** A mistake that is one only together with other parameters. */
  readonly check?: (request: GivenParameters) => InvalidValue | undefined;
  /** How it enters the key of cursors and of what is in memory: the same for each way to write the same value. */
  readonly key?: (value: Value) => unknown;
  /** What it asks the archive for: members of the value that the endpoint hands to the storage. */
  readonly select?: (value: Value) => object;
  /** What documents show. */
  readonly example?: JsonValue;
  /** Values close to the limit between valid and invalid, for tests with random requests. */
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
