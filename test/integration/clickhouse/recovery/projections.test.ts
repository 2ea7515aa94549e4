import assert from 'node:assert/strict';
import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import { type ArchiveSettings, openArchive } from '../../../../clickhouse/client.ts';
import { recoverArchive } from '../../../../clickhouse/recovery/recover-archive.ts';
import { migrate } from '../../../../clickhouse/schema.ts';
import { selectRows } from '../../../../clickhouse/statements/select.ts';
import { insert, put, report } from '../../../support/archive/archive.ts';
import { joinEngineWithLogins } from '../../../support/engine/engine.ts';
import { until } from '../../../support/engine/engine-directory.ts';
import { newFolder } from '../../../support/test-run.ts';

describe('a projection that a power failure broke', () => {
  let dataDir: string;
  before(async () => {
    dataDir = await newFolder();
  });

  async function withEngine(work: (admin: ArchiveSettings, loader: ArchiveSettings) => Promise<void>) {
    const database = 'history';
    // `default` then has all rights, that of BACKUP too.
    const engine = await joinEngineWithLogins(dataDir, '');
    const { url, users } = engine;
    const admin = { url, database, username: 'default', password: '' };
    try {
      await migrate(admin);
      await work(admin, { url, database, ...users.loader });
    } finally {
      await engine.leave();
    }
  }

  it('is built again, and said; then a backup works, which ClickHouse refuses before', async () => {
    await withEngine(async (_, loader) => {
      const archive = openArchive(loader);
      await insert(archive, put(report({ at: '2024-01-01T00:00:00Z', station: 'XAAA' })));
      await archive.close();
    });
    // As after a power failure: its files are there and empty.
    const files = await readdir(join(dataDir, 'clickhouse'), { recursive: true, withFileTypes: true });
    const cut = files.filter((file) => file.isFile() && file.parentPath.endsWith('by_station.proj'));
    assert.ok(cut.length > 0);
    for (const { parentPath, name } of cut) await truncate(join(parentPath, name));
    await withEngine(async (admin) => {
      const archive = openArchive(admin);
      const query =
        'SELECT toUInt32(count()) AS broken FROM system.projection_parts WHERE active AND is_broken';
      const broken = async () => (await selectRows<{ broken: number }>(archive, { query }))[0]?.broken;
      try {
        assert.equal(await broken(), 1);
        const backUp = (name: string) =>
          archive.command({ query: `BACKUP TABLE observations TO Memory('${name}')` });
        await assert.rejects(backUp('before'), { type: 'BAD_SIZE_OF_FILE_IN_DATA_PART' });
        const lines: string[] = [];
        await recoverArchive(admin, dataDir, (line) => lines.push(line));
        assert.deepEqual(lines, [
          'the projection by_station is broken in 1 parts of observations; building it again',
        ]);
        await until(async () => (await broken()) === 0);
        await backUp('after');
      } finally {
        await archive.close();
      }
    });
  });
});
