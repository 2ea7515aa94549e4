import type { Archive } from './archive.ts';
import { type ArchiveSettings, openArchive } from './client.ts';
import { readShards } from './cluster/shards.ts';
import { isAccessDenied } from './errors.ts';
import { type SchemaChange, type StoredSchema, schemaChanges } from './schema.ts';
import { selectRows } from './statements/select.ts';

/**
 * Creates what the archive lacks of the schema: tables, views, and columns of `observations`. Each statement can be
 * repeated, even by two programs at once. A user who may not create tables succeeds if nothing is missing, so a
 * read-only service can start. In a cluster every statement is run on all its servers.
 *
 * @returns what this call has created, `table` or `table.column`
 * @throws when the user may not create what is missing, a column has another type, or the server has no such cluster
 */
export async function migrate(settings: ArchiveSettings): Promise<readonly string[]> {
  const client = openArchive({ ...settings, database: 'default' });
  try {
    if (settings.cluster !== undefined) await readShards(client, settings.cluster);
    const changes = schemaChanges(await readStoredSchema(client, settings.database));
    if (changes.length > 0) await apply(settings, client, changes);
    return changes.map(({ name }) => name);
  } finally {
    await client.close();
  }
}

async function readStoredSchema(client: Archive, database: string): Promise<StoredSchema> {
  const columns = await selectRows<{ table: string; name: string; type: string }>(client, {
    query: 'SELECT table, name, type FROM system.columns WHERE database = {database:String}',
    params: { database },
  });
  const tables = new Map<string, Map<string, string>>();
  for (const { table, name, type } of columns) {
    const types = tables.get(table) ?? new Map<string, string>();
    tables.set(table, types.set(name, type));
  }
  return tables;
}

async function apply(
  settings: ArchiveSettings,
  outside: Archive,
  changes: readonly SchemaChange[],
): Promise<void> {
  const client = openArchive(settings);
  try {
    await outside.command({
      query: 'CREATE DATABASE IF NOT EXISTS {database:Identifier}',
      params: { database: settings.database },
    });
    for (const { statement } of changes) await client.command({ query: statement });
  } catch (error) {
    if (!isAccessDenied(error)) throw error;
    throw new Error(
      `Database ${settings.database} lacks ${changes.map(({ name }) => name).join(', ')}, and user ` +
        `${settings.username} may not create it: run \`npm run migrate\` once with a user that may create tables.`,
      { cause: error },
    );
  } finally {
    await client.close();
  }
}
