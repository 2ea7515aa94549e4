import assert from 'node:assert/strict';
import { type ArchiveSettings, openArchive } from '../../../clickhouse/client.ts';
import type { JoinedEngine } from '../../../clickhouse/embedded/join.ts';
import { migrate, SCHEMA } from '../../../clickhouse/schema.ts';
import { REPORT_TABLES } from '../../../clickhouse/statements/current-reports.ts';
import { selectRows } from '../../../clickhouse/statements/select.ts';
import { joinOpenEngine } from '../../support/engine/engine.ts';

const ALL = [...new Set(SCHEMA.map(({ name }) => name))];

describe('the schema', () => {
  let engine: JoinedEngine;
  before(async () => {
    engine = await joinOpenEngine();
  });
  after(() => engine.leave());

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
  function rowsOf(database: string, query: string) {
    const client = openArchive(settings(database));
    return selectRows<Record<string, unknown>>(client, { query }).finally(() => client.close());
  }

  it('is created in a new database, once', async () => {
    assert.deepEqual(await migrate(settings('fresh')), ALL);
    assert.deepEqual(await migrate(settings('fresh')), []);
  });

  it('is completed where a start was interrupted', async () => {
    await migrate(settings('interrupted'));
    await command('interrupted', 'DROP TABLE coverage_from_slices');
    await command('interrupted', 'DROP TABLE slices');
    assert.deepEqual(await migrate(settings('interrupted')), ['slices', 'coverage_from_slices']);
  });

  it('can be created twice at the same time', async () => {
    await Promise.all([migrate(settings('raced')), migrate(settings('raced'))]);
    assert.deepEqual(await migrate(settings('raced')), []);
  });

  it('is refused where a table is that of another version', async () => {
    await migrate(settings('other'));
    for (const change of [
      'ALTER TABLE observations MODIFY COLUMN ptend Nullable(UInt16)',
      'ALTER TABLE loads DROP COLUMN failure',
      'CREATE OR REPLACE VIEW served_parts AS SELECT 1 AS table',
    ])
      await command('other', change);
    await assert.rejects(
      migrate(settings('other')),
      /observations\.ptend has the type Nullable\(UInt16\), and this program needs Nullable\(UInt8\); .*loads has no column failure; .*served_parts has no column name/,
    );
  });

  it('has the marks of stations in memory before the first question', async () => {
    const database = 'marks';
    await migrate(settings(database));
    const loadedMarks = () =>
      rowsOf(database, "SELECT value FROM system.events WHERE event = 'LoadedMarksFiles'");
    const table = 'station_observations';
    for (const statement of [
      `INSERT INTO ${table} (station, observedAt) VALUES ('XAAA', '2024-01-01')`,
      'SYSTEM DROP MARK CACHE',
      `DETACH TABLE ${table}`,
      `ATTACH TABLE ${table}`,
    ])
      await command(database, statement);
    const before = await loadedMarks();
    await rowsOf(database, `SELECT * FROM ${table}`);
    assert.deepEqual(await loadedMarks(), before);
  });

  it('gets a column that it lacks without touching a part', async () => {
    const database = 'older';
    await migrate(settings(database));
    for (const [table, index] of [
      ['observations', ''],
      ['station_observations', 'DROP INDEX range_rh_pct, '],
    ])
      await command(database, `ALTER TABLE ${table} ${index}DROP COLUMN ws, DROP COLUMN rh_pct`);
    await command(
      database,
      `INSERT INTO station_observations (observedAt, station, type, fingerprint, version, source, text, clean, decoder)
       SELECT toDateTime('2024-01-01 00:00:00', 'UTC') + number * 60, 'XAAA', 'METAR', number, 1, 'demo', 'XAAA', 1, 1
       FROM numbers(1000)`,
    );
    const parts = () =>
      rowsOf(
        database,
        "SELECT name, modification_time FROM system.parts WHERE active AND database = currentDatabase() AND table = 'station_observations'",
      );
    const before = await parts();
    assert.equal(before.length, 1);
    const added = REPORT_TABLES.flatMap((table) => [`${table}.ws`, `${table}.rh_pct`]);
    assert.deepEqual(await migrate(settings(database)), added);
    assert.deepEqual(await parts(), before);
    const read =
      "SELECT ws, rh_pct FROM station_observations FINAL WHERE station = 'XAAA' ORDER BY observedAt LIMIT 1";
    assert.deepEqual(await rowsOf(database, read), [{ ws: null, rh_pct: null }]);
    await command(
      database,
      "INSERT INTO station_observations (observedAt, station, type, fingerprint, version, ws, rh_pct) VALUES (0, 'XAAA', 'METAR', 1, 2, 'WS R03', 71.5)",
    );
    await command(database, 'OPTIMIZE TABLE station_observations FINAL');
    assert.deepEqual(await rowsOf(database, read), [{ ws: 'WS R03', rh_pct: '71.5' }]);
    const indexes = await rowsOf(
      database,
      "SELECT name FROM system.data_skipping_indices WHERE database = currentDatabase() AND name = 'range_rh_pct'",
    );
    assert.equal(indexes.length, 1);
  });
});
