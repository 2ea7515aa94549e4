import type { Archive } from './archive.ts';
import { type ArchiveSettings, openArchive } from './client.ts';
import { readShards } from './cluster/shards.ts';
import { isAccessDenied, isUnknownTable } from './errors.ts';
import { isSameMigration, type Migration, readMigrations } from './released-migrations.ts';
import { selectRows } from './statements/select.ts';

/** The checksum of each migration that has been applied. */
export const CREATE_MIGRATIONS = `
  CREATE TABLE IF NOT EXISTS migrations (name String, checksum String, appliedAt DateTime('UTC') DEFAULT now())
  ENGINE = MergeTree ORDER BY name`;

/**
 * Brings the schema of the archive up to this version of the program: the statements of `schema/`, in order, each once.
 * A user without the right to create tables succeeds where nothing is left to do, so a read-only service can start. In a
 * cluster every statement is run on all its servers.
 *
 * @returns the names of the migrations applied by this call
 * @throws when the archive has another version of a migration, lacks one that the user may not apply, or the server has
 *   no such cluster
 */
export async function migrate(settings: ArchiveSettings): Promise<readonly string[]> {
  const client = openArchive({ ...settings, database: 'default' });
  try {
    if (settings.cluster !== undefined) await readShards(client, settings.cluster);
    const applied = await readAppliedMigrations(client, settings.database);
    const pending: Migration[] = [];
    for (const migration of await readMigrations()) {
      const recorded = applied.get(migration.name);
      if (recorded === undefined) pending.push(migration);
      else if (!isSameMigration(migration, recorded))
        throw new Error(
          `Database ${settings.database} has another version of migration ${migration.name} than this program. ` +
            'A released statement never changes: restore its file, and write a new migration for the change.',
        );
    }
    if (pending.length > 0) await apply(settings, pending);
    return pending.map(({ name }) => name);
  } finally {
    await client.close();
  }
}

/** The checksum of each applied migration, by name. */
async function readAppliedMigrations(
  client: Archive,
  database: string,
): Promise<ReadonlyMap<string, string>> {
  try {
    const rows = await selectRows<{ name: string; checksum: string }>(client, {
      query: 'SELECT name, checksum FROM {database:Identifier}.migrations',
      params: { database },
    });
    return new Map(rows.map(({ name, checksum }) => [name, checksum]));
  } catch (error) {
    if (isUnknownTable(error)) return new Map();
    throw error;
  }
}

async function apply(settings: ArchiveSettings, pending: readonly Migration[]): Promise<void> {
  const outside = openArchive({ ...settings, database: 'default' });
  const client = openArchive(settings);
  try {
    await outside.command({
      query: 'CREATE DATABASE IF NOT EXISTS {database:Identifier}',
      params: { database: settings.database },
    });
    await client.command({ query: CREATE_MIGRATIONS });
    for (const { name, checksum, statement } of pending) {
      await client.command({ query: statement });
      await client.insert({ table: 'migrations', rows: [{ name, checksum }] });
    }
  } catch (error) {
    if (!isAccessDenied(error)) throw error;
    throw new Error(
      `Database ${settings.database} lacks ${pending.map(({ name }) => name).join(', ')}, and user ` +
        `${settings.username} may not apply it: run \`npm run migrate\` once with a user that may create tables.`,
      { cause: error },
    );
  } finally {
    await Promise.all([outside.close(), client.close()]);
  }
}
