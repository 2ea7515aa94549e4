import { readFileSync } from 'node:fs';

/**
 * The text of `queries/FOLDER/NAME.sql`: one statement a file, typed parameters (`{from:DateTime}`) for values, and `$name`
 * where `fillSql` puts a clause. Call it once, when the module loads.
 */
export function readSqlFile(name: string): string {
  return readFileSync(new URL(`../queries/${name}.sql`, import.meta.url), 'utf8');
}

/**
 * A statement with its clauses in place of `$name`. Never pass user input here: values are parameters.
 *
 * @throws when a `$name` of the template has no clause, or a clause has no `$name`
 */
export function fillSql(template: string, clauses: Readonly<Record<string, string>>): string {
  const unused = new Set(Object.keys(clauses));
  const statement = template.replace(/\$(\w+)/g, (_, name: string) => {
    const clause = clauses[name];
    if (clause === undefined) throw new Error(`The SQL template has no clause for $${name}`);
    unused.delete(name);
    return clause;
  });
  if (unused.size > 0) throw new Error(`The SQL template does not contain $${[...unused].join(', $')}`);
  return statement;
}

/** A statement without its SQL comments. */
export function withoutComments(statement: string): string {
  return statement.replace(
    /('(?:[^'\\]|\\.)*')|--[^\n]*|\/\*[\s\S]*?\*\//g,
    (_, text?: string) => text ?? ' ',
  );
}
