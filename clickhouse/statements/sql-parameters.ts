/** The typed parameters of a composed statement: the text has a placeholder for each value. */
export class SqlParameters {
  readonly #prefix: string;
  readonly #values: Record<string, unknown> = {};
  #count = 0;

  /** @param prefix of the names, different for each part of one statement */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** @returns the placeholder, `{filter0:Float64}` */
  add(
    type: 'String' | 'Float32' | 'Float64' | 'Array(String)' | 'Array(Float32)' | 'Array(Float64)',
    value: unknown,
  ) {
    const name = `${this.#prefix}${this.#count}`;
    this.#count += 1;
    this.#values[name] = value;
    return `{${name}:${type}}`;
  }

  get values(): Readonly<Record<string, unknown>> {
    return this.#values;
  }
}
