import { readFileSync } from 'node:fs';
import { columnType, FIELD_COLUMNS, type FieldColumn } from './model/field-columns.ts';
import { RAW } from './model/stored-text.ts';
import { fillSql } from './statements/sql.ts';

/** A table, or a materialized view, and the statement that creates it. */
export type SchemaObject = { readonly name: string; readonly statement: string };

/** The files of `schema/`; `coverage` includes the views that feed it, which read the tables before it. */
const FILES = [
  'observations',
  'slices',
  'loads',
  'stations',
  'station_descriptions',
  'sightings',
  'coverage',
] as const;

/** Everything in an archive, in creation order. */
export const SCHEMA: readonly SchemaObject[] = FILES.flatMap((file) => {
  const text = readFileSync(new URL(`./schema/${file}.sql`, import.meta.url), 'utf8');
  const fields = [...FIELD_COLUMNS.values()].map(columnDefinition).join(',\n    ');
  const filled = file === 'observations' ? fillSql(text, { raw: RAW, fields }) : text;
  return filled.split(/^;$/m).map((statement) => ({ name: nameOf(statement), statement }));
});

function nameOf(statement: string): string {
  const [, name] = /^CREATE (?:TABLE|MATERIALIZED VIEW) IF NOT EXISTS (\w+)/m.exec(statement) ?? [];
  if (name === undefined) throw new Error(`This statement creates nothing: ${statement}`);
  return name;
}

/** The types of the columns of each table and view that a database has, by name. */
export type StoredSchema = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** A statement that creates what a database lacks. */
export type SchemaChange = { readonly name: string; readonly statement: string };

/**
 * What brings a database up to the full schema. A new field is one more column, which touches no part.
 *
 * @throws if the column of a field has another type
 */
export function schemaChanges(stored: StoredSchema): readonly SchemaChange[] {
  const columns = stored.get('observations');
  return [
    ...SCHEMA.filter(({ name }) => !stored.has(name)),
    ...(columns === undefined ? [] : missingColumns(columns)),
  ];
}

function missingColumns(stored: ReadonlyMap<string, string>): readonly SchemaChange[] {
  return [...FIELD_COLUMNS.values()].flatMap((column) => {
    const [type, neededType] = [stored.get(column.name), columnType(column)];
    if (type === neededType) return [];
    const name = `observations.${column.name}`;
    if (type !== undefined)
      throw new Error(
        `The column ${name} has the type ${type}, and this program needs ${neededType}. ` +
          'Change it with ALTER TABLE … MODIFY COLUMN, or load the reports into a new database.',
      );
    const statement = `ALTER TABLE observations ADD COLUMN IF NOT EXISTS ${columnDefinition(column)}`;
    return [{ name, statement }];
  });
}

function columnDefinition(column: FieldColumn): string {
  const comment = [column.unit, column.meaning].filter((text) => text !== undefined).join(': ');
  return `${column.name} ${columnType(column)} COMMENT '${comment.replaceAll("'", "''")}'`;
}
