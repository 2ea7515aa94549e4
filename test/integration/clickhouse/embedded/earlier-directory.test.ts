import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { openArchive } from '../../../../clickhouse/client.ts';
import { type JoinedEngine, joinEngine } from '../../../../clickhouse/embedded/join.ts';
import { migrate } from '../../../../clickhouse/migrate.ts';
import { readMigrations } from '../../../../clickhouse/released-migrations.ts';
import { selectRows } from '../../../../clickhouse/statements/select.ts';
import { insert, put, report } from '../../../support/archive/archive.ts';
import { freePort } from '../../../support/engine/engine.ts';
import { runInProcess } from '../../../support/engine/in-process-clickhouse.ts';

const DATABASE = 'history';

describe('a DATA_DIR of the embedded engine without a listener of its own', () => {
  let dataDir: string;
  let engine: JoinedEngine;
  let client: Archive;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'earlier-'));
    await runInProcess(join(dataDir, 'clickhouse'), [
      `CREATE DATABASE ${DATABASE}`,
      `USE ${DATABASE}`,
      `CREATE TABLE migrations (name String, checksum String, appliedAt DateTime('UTC') DEFAULT now())
       ENGINE = MergeTree ORDER BY name`,
      ...(await migrations()),
      `INSERT INTO observations (observedAt, station, type, fingerprint, version, source, raw, clean, decoder)
       SELECT toDateTime('2024-01-01', 'UTC') + number * 60, ['XAAA', 'XAAB'][number % 2 + 1], 'METAR', number, 1,
         'demo', toString(number), 1, 1
       FROM numbers(100000)`,
    ]);
    engine = await joinEngine({
      dataDir,
      port: await freePort(),
      database: DATABASE,
      adminPassword: undefined,
    });
    client = openArchive({ url: engine.url, database: DATABASE, ...engine.users.loader });
  });
  after(async () => {
    await client.close();
    await engine.leave();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function migrations(): Promise<readonly string[]> {
    return (await readMigrations()).flatMap(({ name, statement, checksum }) => [
      statement,
      `INSERT INTO migrations (name, checksum) VALUES ('${name}', '${checksum}')`,
    ]);
  }
  const rows = (query: string) => selectRows(client, { query });

  it('has its schema and needs no migration', async () => {
    const admin = { url: engine.url, database: DATABASE, ...engine.users.admin };
    assert.deepEqual(await migrate(admin), []);
  });

  it('has all its records, in the table and in its projection', async () => {
    const sums = 'SELECT station, count() AS reports, toString(sum(toUInt64(raw))) AS sum FROM observations';
    assert.deepEqual(await rows(`${sums} GROUP BY station ORDER BY station`), [
      { station: 'XAAA', reports: '50000', sum: '2499950000' },
      { station: 'XAAB', reports: '50000', sum: '2500000000' },
    ]);
    const byStation = `${sums} WHERE station = 'XAAB' GROUP BY station SETTINGS force_optimize_projection = 1`;
    assert.deepEqual(await rows(byStation), [{ station: 'XAAB', reports: '50000', sum: '2500000000' }]);
  });

  it('takes new reports, and its coverage counts them', async () => {
    await insert(client, put(report({ at: '2023-07-01T00:00:00Z', station: 'XAAC' })));
    assert.deepEqual(await rows("SELECT year FROM coverage WHERE station = 'XAAC'"), [{ year: 2023 }]);
  });
});
