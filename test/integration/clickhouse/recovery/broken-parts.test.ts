import assert from 'node:assert/strict';
import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { openArchive } from '../../../../clickhouse/client.ts';
import { recoverArchive } from '../../../../clickhouse/recovery/recover-archive.ts';
import { migrate } from '../../../../clickhouse/schema.ts';
import { selectRows } from '../../../../clickhouse/statements/select.ts';
import { demo } from '../../../../loader/sources/demo/demo.ts';
import { joinEngineWithLogins } from '../../../support/engine/engine.ts';
import { until } from '../../../support/engine/engine-directory.ts';
import { loadWith } from '../../../support/loader/run-load.ts';
import { newFolder } from '../../../support/test-run.ts';

const DONE =
  'SELECT station, toUInt32(groupBitmapMerge(days)) AS days FROM coverage WHERE year = 2024 GROUP BY station ORDER BY station';
const PARTS = `SELECT path FROM system.parts WHERE active AND table = {table:String} AND database = 'history'
  ORDER BY name`;
const BROKEN = 'SELECT toUInt32(count()) AS broken FROM system.projection_parts WHERE active AND is_broken';
const HOURS = 'SELECT toUInt32(groupBitmapMerge(hours)) AS hours FROM coverage WHERE year = 2024';

describe('files that are broken when the embedded engine starts', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await newFolder();
  });

  /** What a start says of the archive, and what `work` returns. */
  async function start<T>(
    work: (loader: Archive, admin: Archive) => Promise<T>,
  ): Promise<[readonly string[], T]> {
    const database = 'history';
    const engine = await joinEngineWithLogins(dataDir);
    const { url, users } = engine;
    const settings = { url, database, ...users.admin };
    await migrate(settings);
    const lines: string[] = [];
    await recoverArchive(settings, dataDir, (line) => lines.push(line));
    const [loader, admin] = [openArchive({ ...settings, ...users.loader }), openArchive(settings)];
    try {
      return [lines, await work(loader, admin)];
    } finally {
      await Promise.all([loader.close(), admin.close()]);
      await engine.leave();
    }
  }
  const load = (loader: Archive, stations: string) =>
    loadWith(loader, demo(), `--source demo --stations ${stations} --from 2024-01-01 --to 2024-02-01`);

  async function partsOf(admin: Archive, table: string): Promise<readonly string[]> {
    const rows = await selectRows<{ path: string }>(admin, { query: PARTS, params: { table } });
    return rows.map(({ path }) => path);
  }
  async function damage(path: string): Promise<void> {
    for (const file of await readdir(path, { withFileTypes: true }))
      if (file.isFile()) await truncate(join(path, file.name));
  }

  it('are parts that are named and put aside, and the days of what they held are open again before anything is served', async () => {
    const [, path] = await start(async (loader, admin) => {
      await load(loader, 'XAAA');
      const before = new Set(await partsOf(admin, 'observations'));
      await load(loader, 'XAAB');
      const after = await partsOf(admin, 'observations');
      return after.find((each) => !before.has(each)) ?? assert.fail('one part a load');
    });
    await damage(path);

    const [lines, done] = await start((loader) => selectRows(loader, { query: DONE }));
    assert.deepEqual(done, [{ station: 'XAAA', days: 31 }]);
    assert.equal(
      lines[0],
      'reports of XAAB of demo from 2024-01-01 to 2024-02-01 are lost; load these days again',
    );
    assert.match(
      lines[1] ?? '',
      /^the part broken-on-start_2024_\S+ of observations is broken; moved to .*\/broken\//,
    );
    assert.equal((await readdir(join(dataDir, 'broken'))).length, 1);

    const [again, healed] = await start(async (loader) => {
      await load(loader, 'XAAA,XAAB');
      return selectRows(loader, { query: DONE });
    });
    assert.deepEqual(again, []);
    assert.deepEqual(healed, [
      { station: 'XAAA', days: 31 },
      { station: 'XAAB', days: 31 },
    ]);
  });

  it('are parts of coverage that are made again from the ledger and the reports', async () => {
    const read = async (loader: Archive) => [
      await selectRows(loader, { query: DONE }),
      await selectRows(loader, { query: HOURS }),
    ];
    const [, { paths, before }] = await start(async (loader, admin) => {
      await load(loader, 'XAAA');
      return { before: await read(loader), paths: await partsOf(admin, 'coverage') };
    });
    for (const path of paths) await damage(path);

    const [lines, after] = await start(read);
    assert.ok(lines.includes('coverage is made again from the ledger and the reports'), lines.join('\n'));
    assert.deepEqual(after, before);
  });

  it('are a projection that is built again, and said; then a backup works, which ClickHouse refuses before', async () => {
    await start((loader) => load(loader, 'XAAA'));
    // As after a power failure: its files are there and empty.
    const files = await readdir(join(dataDir, 'clickhouse'), { recursive: true, withFileTypes: true });
    const cut = files.filter((file) => file.isFile() && file.parentPath.endsWith('by_station.proj'));
    assert.ok(cut.length > 0);
    for (const { parentPath, name } of cut) await truncate(join(parentPath, name));
    // Without a password `default` has all rights, that of BACKUP too.
    const { url, users, leave } = await joinEngineWithLogins(dataDir, '');
    const settings = { url, database: 'history', ...users.admin };
    const archive = openArchive({ ...settings, username: 'default', password: '' });
    try {
      assert.equal((await selectRows<{ broken: number }>(archive, { query: BROKEN }))[0]?.broken, 1);
      const backUp = (name: string) =>
        archive.command({ query: `BACKUP TABLE observations TO Memory('${name}')` });
      await assert.rejects(backUp('before'), { type: 'BAD_SIZE_OF_FILE_IN_DATA_PART' });
      const lines: string[] = [];
      await recoverArchive(settings, dataDir, (line) => lines.push(line));
      assert.deepEqual(lines, [
        'the projection by_station is broken in 1 parts of observations; building it again',
      ]);
      await until(
        async () => (await selectRows<{ broken: number }>(archive, { query: BROKEN }))[0]?.broken === 0,
      );
      await backUp('after');
    } finally {
      await archive.close();
      await leave();
    }
  });
});
