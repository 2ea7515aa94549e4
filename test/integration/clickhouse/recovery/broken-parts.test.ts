import assert from 'node:assert/strict';
import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { openArchive } from '../../../../clickhouse/client.ts';
import { recoverArchive } from '../../../../clickhouse/recovery/recover-archive.ts';
import { migrate } from '../../../../clickhouse/schema.ts';
import { REPORT_TABLES } from '../../../../clickhouse/statements/current-reports.ts';
import { selectRows } from '../../../../clickhouse/statements/select.ts';
import { demo } from '../../../../loader/sources/demo/demo.ts';
import { joinEngineWithLogins } from '../../../support/engine/engine.ts';
import { loadWith } from '../../../support/loader/run-load.ts';
import { newFolder } from '../../../support/test-run.ts';

const DONE =
  'SELECT station, bitCount(groupBitOr(days)) + bitCount(groupBitOr(lateDays)) AS days FROM coverage WHERE year = 2024 GROUP BY station ORDER BY station';
const PARTS = `SELECT path FROM system.parts WHERE active AND table = {table:String} AND database = 'history'
  ORDER BY name`;
const HOURS = 'SELECT toUInt32(groupBitmapMerge(hours)) AS hours FROM coverage WHERE year = 2024';

describe('files that are broken when the embedded engine starts', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = newFolder();
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

  /** The parts of both tables of reports that the second of two loads has made. */
  async function partsOfSecondLoad(): Promise<readonly string[]> {
    const read = async (admin: Archive) =>
      (await Promise.all(REPORT_TABLES.map((table) => partsOf(admin, table)))).flat();
    const [, paths] = await start(async (loader, admin) => {
      await load(loader, 'XAAA');
      const before = new Set(await read(admin));
      await load(loader, 'XAAB');
      return (await read(admin)).filter((each) => !before.has(each));
    });
    assert.equal(paths.length, REPORT_TABLES.length, 'one part a table and load');
    return paths;
  }

  for (const [n, table] of REPORT_TABLES.entries())
    it(`are parts of ${table} that are named and put aside, and their reports are copied from the other table`, async () => {
      const paths = await partsOfSecondLoad();
      await damage(paths[n] as string);
      const sums = REPORT_TABLES.map(
        (each) => `SELECT sum(cityHash64(raw, version, counts)) AS sum FROM ${each} FINAL`,
      );
      const [lines, [done, ...counts]] = await start((loader) =>
        Promise.all([DONE, ...sums].map((query) => selectRows(loader, { query }))),
      );
      assert.deepEqual(done, [
        { station: 'XAAA', days: 31 },
        { station: 'XAAB', days: 31 },
      ]);
      assert.deepEqual(counts[0], counts[1]);
      assert.match(lines[0] ?? '', new RegExp(`^\\d+ rows of ${table} in 2024 are written again`));
      assert.match(
        lines[1] ?? '',
        new RegExp(`^the part broken-on-start_202\\S+ of ${table} is broken; moved to`),
      );
      assert.match(lines[2] ?? '', /^days are computed for each request until/);
      assert.equal(lines.length, 3);
    });

  it('are parts of both tables, and the days of what they held are open again before anything is served', async () => {
    for (const path of await partsOfSecondLoad()) await damage(path);

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
    assert.equal((await readdir(join(dataDir, 'broken'))).length, 2);

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

  for (const table of ['days', 'day_months'])
    it(`are parts of ${table}, after which no stored day counts`, async () => {
      const [, paths] = await start(async (loader, admin) => {
        await load(loader, 'XAAA');
        return partsOf(admin, table);
      });
      assert.ok(paths.length > 0);
      for (const path of paths) await damage(path);
      const [lines, rows] = await start((loader) =>
        selectRows(loader, { query: 'SELECT station FROM day_months' }),
      );
      assert.deepEqual(rows, []);
      if (table === 'days') assert.match(lines.at(-1) ?? '', /^days are computed for each request until/);
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
});
