import { readFileSync } from 'node:fs';
import type { Archive } from './archive.ts';
import { type ArchiveSettings, openArchive } from './client.ts';
import { readShards } from './cluster.ts';
import { scalarOf } from './conditions/fields.ts';
import { DAY_FIELDS, dayColumnType } from './days/fields.ts';
import { isAccessDenied } from './errors.ts';
import { groupBy } from './group-by.ts';
import { COUNTS_TYPE, columnType, FIELD_COLUMNS, type FieldColumn } from './model/field-columns.ts';
import { isList } from './model/fields.ts';
import { RAW } from './model/report.ts';
import { REPORT_TABLES } from './statements/current-reports.ts';
import { selectRows } from './statements/select.ts';
import { fillSql, readStatement } from './statements/sql.ts';

/** A statement that creates a table, a materialized view, or the column `table.column`. */
type SchemaStatement = { readonly name: string; readonly statement: string };

/** By name: the columns that a start adds to a table of reports that lacks them. */
const FIELDS_OF_REPORTS = new Map(
  [...FIELD_COLUMNS.values()].map((field) => [field.name, columnOfField(field)]),
);

/** Every table and view of an archive, in creation order: a view follows the tables that it reads. */
export const SCHEMA: readonly SchemaStatement[] = fillSql(readFile('./schema.sql'), {
  reportColumns: fillSql(readFile('./report-columns.sql'), {
    raw: RAW,
    counts: COUNTS_TYPE,
    columns: listOf([...FIELDS_OF_REPORTS.values()].map(({ definition }) => definition)),
  }),
  dayColumns: listOf(DAY_FIELDS.map((field) => `${field.name} ${dayColumnType(field)} ${commentOf(field)}`)),
  doneDays: fillSql(readStatement('ledger/done_days'), { slices: 'true', days: 'true' }),
  reportHours: fillSql(readStatement('ledger/report_hours'), {
    reports: 'station_observations$SHARD\nWHERE true',
  }),
  indexes: listOf([...FIELDS_OF_REPORTS.values()].flatMap(({ index }) => index ?? [])),
})
  .split(/^;$/m)
  .flatMap((statement) => {
    const name = nameOfCreated(statement);
    // Each table of one shard is followed by that over all shards.
    const isOfShard = statement.includes(`${name}$SHARD$ON_ALL\n`);
    const ofAll = isOfShard ? [{ name, statement: `$DISTRIBUTED(${name})` }] : [];
    return [{ name, statement }, ...ofAll];
  });

function listOf(definitions: readonly string[]): string {
  return definitions.join(',\n    ');
}

function readFile(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

function nameOfCreated(statement: string): string {
  const [, name] = /^CREATE (?:TABLE|(?:MATERIALIZED )?VIEW) IF NOT EXISTS (\w+)/m.exec(statement) ?? [];
  if (name === undefined) throw new Error(`This statement creates nothing: ${statement}`);
  return name;
}

function commentOf({ unit, meaning }: { readonly unit?: string | undefined; readonly meaning: string }) {
  const comment = [unit, meaning].filter((text) => text !== undefined).join(': ');
  return `COMMENT '${comment.replaceAll("'", "''")}'`;
}

/** With the index of `station_observations`, if any: the least and the greatest of what conditions compare, for each granule. */
function columnOfField(field: FieldColumn) {
  const { values, comparableSql } = scalarOf(field);
  const hasRange = !isList(field.type) && values.kind !== 'text';
  return {
    definition: `${field.name} ${columnType(field)} ${commentOf(field)}`,
    index: hasRange ? `INDEX range_${field.name} ${comparableSql} TYPE minmax GRANULARITY 1` : undefined,
  };
}

/**
 * Creates what the archive lacks of the schema: tables, views, and columns of the tables of reports. Each statement can be
 * repeated, even by two programs at once. A user who may not create tables succeeds if nothing is missing.
 *
 * @returns what this call has created, `table` or `table.column`
 * @throws when the user may not create what is missing, a table is that of another version of this program, or the server has no
 *   such cluster
 */
export async function migrate(settings: ArchiveSettings): Promise<readonly string[]> {
  const archive = openArchive({ ...settings, database: 'default' });
  try {
    if (settings.cluster !== undefined) await readShards(archive, settings.cluster);
    const select = { query: STORED_COLUMNS, params: { database: settings.database } };
    const stored = await selectRows<StoredColumn>(archive, select);
    const missing = missingStatements(stored, settings.cluster !== undefined);
    if (missing.length > 0) await apply(settings, archive, missing);
    return [...new Set(missing.map(({ name }) => name))];
  } finally {
    await archive.close();
  }
}

type StoredColumn = { readonly table: string; readonly name: string; readonly type: string };

const STORED_COLUMNS = 'SELECT table, name, type FROM system.columns WHERE database = {database:String}';

/** A column of a statement that creates a table, or a view with its columns, on a line of its own. */
const COLUMN = /^ {4}(?!INDEX )`?(\w+)`? +(\S.*?)(?: +(COMMENT|CODEC|ALIAS|DEFAULT) .*|,)?$/gm;

function columnsOfCreated(statement: string) {
  const [, columns = ''] = /^CREATE .*\n\(\n([\s\S]*?)^\)/m.exec(statement) ?? [];
  return [...columns.matchAll(COLUMN)].map(([, name = '', type = '', more]) => ({
    name,
    type,
    isStored: more !== 'ALIAS',
  }));
}

/** The stored columns of a table with their types, as a list of ClickHouse. */
export function structureOf(table: string): string {
  const statement = SCHEMA.find(({ name }) => name === table)?.statement ?? '';
  const stored = columnsOfCreated(statement).filter(({ isStored }) => isStored);
  return stored.map(({ name, type }) => `${name} ${type}`).join(', ');
}

const TABLES_OF_REPORTS: ReadonlySet<string> = new Set(REPORT_TABLES);

/** Whole tables, and columns of fields; other columns cannot be filled in from what the archive has. */
function missingStatements(stored: readonly StoredColumn[], isCluster: boolean): readonly SchemaStatement[] {
  const tables = groupBy(stored, ({ table }) => table);
  const missing = SCHEMA.filter(({ name }) => !tables.has(name));
  const others: string[] = [];
  for (const { name: table, statement } of SCHEMA) {
    const types = new Map(tables.get(table)?.map(({ name, type }) => [name, type]));
    for (const { name, type } of types.size === 0 ? [] : columnsOfCreated(statement)) {
      const found = types.get(name);
      const field = TABLES_OF_REPORTS.has(table) ? FIELDS_OF_REPORTS.get(name) : undefined;
      if (found === undefined && field) missing.push(...addColumn(table, name, field, isCluster));
      else if (found === undefined) others.push(`${table} has no column ${name}`);
      else if (found !== type)
        others.push(`${table}.${name} has the type ${found}, and this program needs ${type}`);
    }
  }
  if (others.length === 0) return missing;
  throw new Error(
    `The archive was made by another version of this program: ${others.join('; ')}. Load the reports into a new database or DATA_DIR, or restore there a snapshot that the other version has exported.`,
  );
}

function addColumn(
  table: string,
  name: string,
  { definition, index }: ReturnType<typeof columnOfField>,
  isCluster: boolean,
): readonly SchemaStatement[] {
  const added = `ADD COLUMN IF NOT EXISTS ${definition}`;
  const hasIndex = table === 'station_observations' && index;
  const withIndex = hasIndex ? `${added}, ADD ${index.replace('INDEX', 'INDEX IF NOT EXISTS')}` : added;
  const ofShard = `ALTER TABLE ${table}$SHARD$ON_ALL ${withIndex}`;
  // The table over all shards has no indexes.
  const ofAll = isCluster ? [`ALTER TABLE ${table}$ON_ALL ${added}`] : [];
  return [ofShard, ...ofAll].map((statement) => ({ name: `${table}.${name}`, statement }));
}

async function apply(settings: ArchiveSettings, outside: Archive, missing: readonly SchemaStatement[]) {
  const archive = openArchive(settings);
  try {
    await outside.command({
      query: 'CREATE DATABASE IF NOT EXISTS {database:Identifier}$ON_ALL',
      params: { database: settings.database },
    });
    for (const { statement } of missing) await archive.command({ query: statement });
  } catch (error) {
    if (!isAccessDenied(error)) throw error;
    throw new Error(
      `Database ${settings.database} lacks ${[...new Set(missing.map(({ name }) => name))].join(', ')}, and user ` +
        `${settings.username} may not create it: run \`npm run migrate\` once with a user that may create tables.`,
      { cause: error },
    );
  } finally {
    await archive.close();
  }
}
