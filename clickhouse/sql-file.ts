import { readFileSync } from 'node:fs';

/** The text of `queries/NAME.sql`: one query a file, typed placeholders for every value. Read once, at the start. */
export function readSqlFile(name: string): string {
  return readFileSync(new URL(`./queries/${name}.sql`, import.meta.url), 'utf8');
}
