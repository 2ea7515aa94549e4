import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { type ClickHouseClient, ClickHouseError } from '@clickhouse/client';
import { type ArchiveSettings, openArchive } from './client.ts';
import { isAccessDenied } from './errors.ts';

type Migration = { readonly name: string; readonly checksum: string; readonly statement: string };

const SCHEMA = new URL('./schema/', import.meta.url);

const UNKNOWN_DATABASE = '81';
const UNKNOWN_TABLE = '60';

/**
 * Brings the archive's schema up to this version of the program: the statements of `schema/`, in order, each once.
 * A user that may not create tables gets through when nothing is left to do, so that a read-only service can start.
 *
 * @returns the names of the migrations applied by this call
 * @throws when an applied migration was edited afterwards, or when one is missing and the user may not apply it
 */
export async function migrate(settings: ArchiveSettings): Promise<readonly string[]> {
  const client = openArchive({ ...settings, database: 'default' });
  try {
    const applied = await appliedMigrations(client, settings.database);
    const pending: Migration[] = [];
    for (const migration of await releasedMigrations()) {
      const checksum = applied.get(migration.name);
      if (checksum === undefined) pending.push(migration);
      else if (checksum !== migration.checksum)
        throw new Error(
          `Migration ${migration.name} of database ${settings.database} was applied with another text than this program ships. ` +
            'A released migration is never edited: restore its file, and write a new one for the change.',
        );
    }
    if (pending.length > 0) await apply(settings, pending);
    return pending.map(({ name }) => name);
  } finally {
    await client.close();
  }
}

async function releasedMigrations(): Promise<readonly Migration[]> {
  const names = (await readdir(SCHEMA)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const statement = await readFile(new URL(name, SCHEMA), 'utf8');
      return { name, statement, checksum: createHash('sha256').update(statement).digest('hex') };
    }),
  );
}

async function appliedMigrations(
  client: ClickHouseClient,
  database: string,
): Promise<ReadonlyMap<string, string>> {
  try {
    const result = await client.query({
      query: 'SELECT name, checksum FROM {database:Identifier}.migrations',
      query_params: { database },
      format: 'JSONEachRow',
    });
    const rows = await result.json<{ name: string; checksum: string }>();
    return new Map(rows.map(({ name, checksum }) => [name, checksum]));
  } catch (error) {
    const unborn = error instanceof ClickHouseError && [UNKNOWN_DATABASE, UNKNOWN_TABLE].includes(error.code);
    if (unborn) return new Map();
    throw error;
  }
}

async function apply(settings: ArchiveSettings, pending: readonly Migration[]): Promise<void> {
  const founder = openArchive({ ...settings, database: 'default' });
  const client = openArchive(settings);
  try {
    await founder.command({
      query: 'CREATE DATABASE IF NOT EXISTS {database:Identifier}',
      query_params: { database: settings.database },
    });
    await client.command({
      query: `CREATE TABLE IF NOT EXISTS migrations (name String, checksum String, appliedAt DateTime('UTC') DEFAULT now())
              ENGINE = MergeTree ORDER BY name`,
    });
    for (const { name, checksum, statement } of pending) {
      await client.command({ query: statement });
      await client.insert({ table: 'migrations', values: [{ name, checksum }], format: 'JSONEachRow' });
    }
  } catch (error) {
    if (!isAccessDenied(error)) throw error;
    throw new Error(
      `Database ${settings.database} lacks ${pending.map(({ name }) => name).join(', ')}, and user ` +
        `${settings.username} may not apply it: run \`npm run migrate\` once with a user that may create tables.`,
      { cause: error },
    );
  } finally {
    await Promise.all([founder.close(), client.close()]);
  }
}
