import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { type ArchiveSettings, openArchive } from '../../../clickhouse/client.ts';
import { migrate } from '../../../clickhouse/migrate.ts';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';

const released = (await readdir(new URL('../../../clickhouse/schema', import.meta.url))).sort();

describe('migrations', () => {
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine();
  });
  after(() => engine.stop());

  const settings = (database: string): ArchiveSettings => ({
    url: engine.url,
    username: 'default',
    password: '',
    database,
  });
  async function command(database: string, query: string): Promise<void> {
    const client = openArchive(settings(database));
    await client.command({ query }).finally(() => client.close());
  }

  it('are numbered without gaps, one statement a file', () => {
    assert.deepEqual(
      released.map((name) => Number(name.slice(0, 3))),
      released.map((_, n) => n + 1),
    );
    for (const name of released) assert.match(name, /^\d{3}_[a-z]+_[a-z_]+\.sql$/);
  });

  it('are applied in order to a new database, and once', async () => {
    assert.deepEqual(await migrate(settings('fresh')), released);
    assert.deepEqual(await migrate(settings('fresh')), []);
  });

  it('go on where an interrupted run stopped', async () => {
    await migrate(settings('interrupted'));
    await command(
      'interrupted',
      `ALTER TABLE migrations DELETE WHERE name >= '005' SETTINGS mutations_sync = 1`,
    );
    assert.deepEqual(
      await migrate(settings('interrupted')),
      released.filter((name) => name >= '005'),
    );
  });

  it('may run twice at once', async () => {
    await Promise.all([migrate(settings('raced')), migrate(settings('raced'))]);
    assert.deepEqual(await migrate(settings('raced')), []);
  });

  it('refuse a database whose migration had another text', async () => {
    await migrate(settings('edited'));
    await command(
      'edited',
      `ALTER TABLE migrations UPDATE checksum = 'other' WHERE name LIKE '003%' SETTINGS mutations_sync = 1`,
    );
    await assert.rejects(migrate(settings('edited')), /003_create_stations\.sql .*restore its file/);
  });
});
