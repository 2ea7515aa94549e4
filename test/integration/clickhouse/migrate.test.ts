import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { type ArchiveSettings, openArchive } from '../../../clickhouse/client.ts';
import { migrate } from '../../../clickhouse/migrate.ts';
import { selectRows } from '../../../clickhouse/statements/select.ts';
import { startTestEngine, type TestEngine } from '../../support/engine/engine.ts';

const released = (await readdir(new URL('../../../clickhouse/schema', import.meta.url))).sort();

/** The checksums that the first release recorded: of whole files, with comments. */
const FIRST_RELEASE = [
  ['001', 'e9a8936c302bdd29f808f9ae6858316dc9abde6bd0f9ca4b83fa38d67d87e416'],
  ['002', 'd756663d0ccf582553fe80cf5e992e463ca2e1ae7f6252ae29d3b557fb50063c'],
  ['003', 'd2d1205ab9dc55862a45e673c30e44fd020d477cbcbd423259919c5759a92bce'],
  ['004', 'eb08cc91b0cc1fda4fc01466bfc76ed43a01869e25429003047127ab24dfd356'],
  ['005', 'edb67b22bbb75fe77c94a4d6be56bd558b4f512a47ba06b1a02490c0a107ef67'],
  ['006', 'bdfbb4981a8b066c6f61cb0b6e4a3b2953b1a3589d0513ca7709cc271bbdcb56'],
  ['007', '7a25ada4d0f25906431e302878d7cd47ec9c3028449ada267dbb7ac8ed948d78'],
  ['008', '27e9c3262d112b8d05f796e3c6d78ac1c5c2889679e702c4ca3e54047acf6aa8'],
] as const;

describe('schema migration', () => {
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

  it('has a number without gaps in the name of its file', () => {
    assert.deepEqual(
      released.map((name) => Number(name.slice(0, 3))),
      released.map((_, n) => n + 1),
    );
    for (const name of released) assert.match(name, /^\d{3}_[a-z]+_[a-z_]+\.sql$/);
  });

  it('is applied once, in order, to a new database', async () => {
    assert.deepEqual(await migrate(settings('fresh')), released);
    assert.deepEqual(await migrate(settings('fresh')), []);
  });

  it('continues where an interrupted run stopped', async () => {
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

  it('can run twice at the same time', async () => {
    await Promise.all([migrate(settings('raced')), migrate(settings('raced'))]);
    assert.deepEqual(await migrate(settings('raced')), []);
  });

  it('is refused where the database has another version of a statement', async () => {
    await migrate(settings('edited'));
    await command(
      'edited',
      `ALTER TABLE migrations UPDATE checksum = 'other' WHERE name LIKE '003%' SETTINGS mutations_sync = 1`,
    );
    await assert.rejects(migrate(settings('edited')), /003_create_stations\.sql .*restore its file/);
  });

  it('adds wind shear to an archive of the first release, without touching a part', async () => {
    const database = 'first_release';
    await migrate(settings(database));
    await command(database, 'ALTER TABLE observations DROP COLUMN ws');
    await command(database, "ALTER TABLE migrations DELETE WHERE name >= '009' SETTINGS mutations_sync = 1");
    for (const [name, checksum] of FIRST_RELEASE)
      await command(
        database,
        `ALTER TABLE migrations UPDATE checksum = '${checksum}' WHERE name LIKE '${name}%' SETTINGS mutations_sync = 1`,
      );
    await command(
      database,
      `INSERT INTO observations (observedAt, station, type, fingerprint, version, source, raw, clean, decoder)
       SELECT toDateTime('2024-01-01 00:00:00', 'UTC') + number * 60, 'XAAA', 'METAR', number, 1, 'demo', 'XAAA', 1, 1
       FROM numbers(1000)`,
    );
    const client = openArchive(settings(database));
    const rowsOf = (query: string) => selectRows<Record<string, unknown>>(client, { query });
    try {
      const parts = () =>
        rowsOf(
          "SELECT name, modification_time FROM system.parts WHERE active AND database = currentDatabase() AND table = 'observations'",
        );
      const before = await parts();
      assert.equal(before.length, 1);
      const later = released.filter((name) => name >= '009');
      assert.deepEqual(await migrate(settings(database)), later);
      assert.deepEqual(await parts(), before);
      // The projection serves a query for one station; its parts have no such column either.
      const read = "SELECT ws FROM observations WHERE station = 'XAAA' ORDER BY observedAt LIMIT 1";
      assert.deepEqual(await rowsOf(read), [{ ws: null }]);
      await client.command({
        query:
          "INSERT INTO observations (observedAt, station, type, fingerprint, version, ws) VALUES (0, 'XAAA', 'METAR', 1, 2, 'WS R03')",
      });
      await client.command({ query: 'OPTIMIZE TABLE observations FINAL' });
      assert.deepEqual(await rowsOf(read), [{ ws: 'WS R03' }]);
    } finally {
      await client.close();
    }
  });
});
