import { readdirSync, readFileSync } from 'node:fs';

const QUERIES = new URL('../queries/', import.meta.url);
const STATEMENTS: ReadonlyMap<string, string> = new Map(
  readdirSync(QUERIES).flatMap((file) => [
    ...namedStatements(file.replace('.sql', ''), readFileSync(new URL(file, QUERIES), 'utf8')),
  ]),
);

/** Whether a time is within the window of a statement's parameters `from` and `to`; `$within(observedAt)` in `queries`. */
export function withinSql(time: string): string {
  return `${time} >= {from:DateTime('UTC')} AND ${time} < {to:DateTime('UTC')}`;
}

/** @param path `TOPIC/NAME`: a statement of `queries/TOPIC.sql`, where `fillSql` puts clauses for `$name` */
export function readStatement(path: string): string {
  const statement = STATEMENTS.get(path);
  if (statement === undefined) throw new Error(`No statement of clickhouse/queries is named ${path}`);
  return statement;
}

/** By `TOPIC/NAME`. Each starts with a line `-- name: NAME`; throws when two have the same name. */
export function namedStatements(topic: string, text: string): ReadonlyMap<string, string> {
  const statements = new Map<string, string>();
  for (const section of text.split(/^-- name: /m).slice(1)) {
    const [name = ''] = section.split('\n', 1);
    const path = `${topic}/${name}`;
    if (statements.has(path)) throw new Error(`Two statements of clickhouse/queries are named ${path}`);
    const statement = section
      .slice(name.length)
      .replace(/\$within\(([\w.]+)\)/g, (_, time) => withinSql(time));
    statements.set(path, `${statement.trim()}\n`);
  }
  return statements;
}

/**
 * A statement with its clauses in place of `$name`, never user input: values are parameters. Names in capital letters stay for
 * `writeFor`.
 *
 * @throws when a `$name` of the template has no clause, or a clause has no `$name`
 */
export function fillSql(template: string, clauses: Readonly<Record<string, string>>): string {
  const unused = new Set(Object.keys(clauses));
  const statement = template.replace(/\$([a-z]\w*)/g, (_, name: string) => {
    const clause = clauses[name];
    if (clause === undefined) throw new Error(`The SQL template has no clause for $${name}`);
    unused.delete(name);
    return clause;
  });
  if (unused.size > 0) throw new Error(`The SQL template does not contain $${[...unused].join(', $')}`);
  return statement;
}

export function withoutComments(statement: string): string {
  return statement.replace(
    /('(?:[^'\\]|\\.)*')|--[^\n]*|\/\*[\s\S]*?\*\//g,
    (_, text?: string) => text ?? ' ',
  );
}

/** The typed parameters of a composed statement: the text has a placeholder for each value. */
export class SqlParameters {
  readonly #values: Record<string, unknown> = {};
  readonly values: Readonly<Record<string, unknown>> = this.#values;
  readonly #prefix: string;
  #count = 0;

  /** @param prefix of the names, different for each part of one statement */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** @returns the placeholder, `{filter0:Float64}` */
  add(type: 'String' | 'Float32' | 'Float64' | 'Array(Float64)', value: unknown) {
    const name = `${this.#prefix}${this.#count++}`;
    this.#values[name] = value;
    return `{${name}:${type}}`;
  }
}
