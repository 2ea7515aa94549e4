import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { openArchive } from '../../../../clickhouse/client.ts';
import { yearWindow } from '../../../../clickhouse/model/time-window.ts';
import { completeTables } from '../../../../clickhouse/observations/copy-rows.ts';
import { migrate } from '../../../../clickhouse/schema.ts';
import { locateArchive } from '../../../../clickhouse/settings/locate-archive.ts';
import { REPORT_TABLES } from '../../../../clickhouse/statements/current-reports.ts';
import { selectRows } from '../../../../clickhouse/statements/select.ts';
import { demo } from '../../../../loader/sources/demo/demo.ts';
import { OBSERVATIONS, startApi } from '../../../support/api/api.ts';
import { freePort, until } from '../../../support/engine/engine.ts';
import { loadWith } from '../../../support/loader/run-load.ts';
import { newFolder } from '../../../support/test-run.ts';

const DONE =
  'SELECT station, toUInt32(groupBitmapMerge(days)) AS days FROM coverage WHERE year = 2024 GROUP BY station ORDER BY station';
const LISTED = 'SELECT source, station FROM stations ORDER BY station';
const PARTS = `SELECT table, path FROM system.parts WHERE active AND table = {table:String} AND database = 'history'`;
/** `station_observations` is read for fewer. */
const MANY = ['XAAA', 'XAAB', ...Array.from({ length: 20 }, (_, n) => `XB${n + 10}`)].join(',');
const MONTH = `stations=XAAA,XAAB&from=2024-01-01T00:00:00Z&to=2024-02-01T00:00:00Z&limit=10000`;

describe('a damaged part of the embedded engine', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = newFolder();
  });

  async function start<T>(
    work: (watched: Archive, admin: Archive, lines: readonly string[]) => Promise<T>,
    program: 'api' | 'loader' = 'loader',
  ): Promise<T> {
    const location = { kind: 'embedded', dataDir, database: 'history', port: await freePort() } as const;
    const lines: string[] = [];
    const located = await locateArchive({ ...location, adminPassword: undefined }, program, (line) =>
      lines.push(line),
    );
    const admin = openArchive(located.adminSettings);
    try {
      await migrate(located.adminSettings);
      await located.recover();
      const watched = located.watch(openArchive(located.settings));
      try {
        return await work(watched, admin, lines);
      } finally {
        await watched.close();
      }
    } finally {
      await admin.close();
      await located.leave();
    }
  }
  const load = (archive: Archive, stations: string) =>
    loadWith(archive, demo(), `--source demo --stations ${stations} --from 2024-01-01 --to 2024-02-01`);
  const partsOf = async (admin: Archive, table: string) =>
    (await selectRows<{ path: string }>(admin, { query: PARTS, params: { table } })).map(({ path }) => path);
  /** As a bad disk does. */
  async function flipBit(path: string): Promise<void> {
    const bytes = await readFile(path);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] as number) ^ 1;
    await writeFile(path, bytes);
  }
  const flipAll = async (paths: readonly string[], file = 'data.bin') => {
    for (const path of paths) await flipBit(join(path, file));
  };

  for (const tables of [
    ['coverage', 'stations', 'station_descriptions'],
    ['slices', 'loads'],
  ])
    it(`of ${tables.join(', ')} stops no start, and the table is made again`, async () => {
      const read = async (archive: Archive) => [
        await selectRows(archive, { query: DONE }),
        await selectRows(archive, { query: LISTED }),
      ];
      const [paths, before] = await start(async (loader, admin) => {
        await load(loader, 'XAAA,XAAB');
        await admin.command({ query: "INSERT INTO loads (source, endedAt) VALUES ('demo', now())" });
        const ofTables = await Promise.all(tables.map((table) => partsOf(admin, table)));
        assert.ok(ofTables.every(({ length }) => length > 0));
        return [ofTables.flat(), await read(admin)];
      });
      await flipAll(paths);
      await start(async (loader, _admin, lines) => {
        assert.deepEqual(await read(loader), before);
        for (const table of tables) {
          const said = new RegExp(`^the part \\S+ of ${table} is damaged: Code: 40`, 'm');
          assert.match(lines.join('\n'), said);
          await loader.select({ query: `SELECT * FROM ${table} FORMAT Null` });
        }
        if (tables.includes('slices')) return;
        for (const line of [
          'coverage is made again from the ledger and the reports',
          'stations are listed again; the next load asks for their periods of record',
          'names and positions of stations are lost: run `npm run load -- fetch-stations`',
        ])
          assert.ok(lines.includes(line), lines.join('\n'));
      });
      assert.equal((await readdir(join(dataDir, 'broken'))).length, paths.length);
      await start(async (_loader, _admin, lines) => assert.doesNotMatch(lines.join('\n'), /damaged|broken/));
    });

  for (const file of ['data.bin', 'count.txt'])
    it(`of reports is met while the api runs: clients and /readyz get 503 until it is moved aside (${file})`, async () => {
      const read = async (admin: Archive) =>
        (await Promise.all(REPORT_TABLES.map((table) => partsOf(admin, table)))).flat();
      const paths = await start(async (loader, admin) => {
        await load(loader, 'XAAA');
        const before = new Set(await read(admin));
        await load(loader, 'XAAB');
        return (await read(admin)).filter((each) => !before.has(each));
      });
      // In both tables: what one has lost is copied from the other.
      await flipAll(paths, file);
      await start(async (reader, admin, lines) => {
        await admin.command({ query: 'SYSTEM STOP MERGES' }).catch(() => {});
        const api = await startApi(reader);
        const ask = (target: string) => api.get(target);
        try {
          const statuses = new Set<number>();
          const readyWhile503 = new Set<number>();
          await until(async () => {
            const response = await ask(`${OBSERVATIONS}?${MONTH}&include=decoded,raw`);
            statuses.add(response.status);
            await response.text();
            if (response.status === 503) readyWhile503.add((await ask('/readyz')).status);
            return response.status === 200 && (await ask('/readyz')).status === 200;
          });
          assert.ok(
            [...statuses].every((status) => status === 503 || status === 200),
            `${[...statuses]}`,
          );
          const page = (await (await ask(`${OBSERVATIONS}?${MONTH}`)).json()) as {
            data: { station: string }[];
            meta: { coverage: { status: string } };
          };
          const stations = new Set(page.data.map(({ station }) => station));
          if (stations.has('XAAB')) return assert.equal(page.meta.coverage.status, 'complete');
          assert.ok(statuses.has(503) && readyWhile503.has(503), lines.join('\n'));
          assert.deepEqual([...stations], ['XAAA']);
          assert.equal(page.meta.coverage.status, 'partial');
          assert.ok(
            lines.includes(
              'reports of XAAB of demo from 2024-01-01 to 2024-02-01 are lost; load these days again',
            ),
            lines.join('\n'),
          );
        } finally {
          await api.stop();
        }
      }, 'api');
      // The loader brings what was lost.
      await start(async (loader) => {
        await load(loader, 'XAAA,XAAB');
        assert.deepEqual(await selectRows(loader, { query: DONE }), [
          { station: 'XAAA', days: 31 },
          { station: 'XAAB', days: 31 },
        ]);
      });
    });

  it('of a server that nothing repairs: its reports are refused with 503, until it is detached and copied', async () => {
    await start(async (loader, admin) => {
      await load(loader, 'XAAA');
      await admin.command({ query: 'SYSTEM STOP MERGES' }).catch(() => {});
      await load(loader, 'XAAB');
      const paths = await partsOf(admin, 'observations');
      await flipAll(paths.slice(-1));
      const api = await startApi(admin);
      try {
        const ask = (stations: string) =>
          api.get(`${OBSERVATIONS}?${MONTH.replace('XAAA,XAAB', stations)}&include=decoded,raw`);
        const refused = await ask(MANY);
        assert.equal(refused.status, 503);
        assert.equal(((await refused.json()) as { code: string }).code, 'storage_unavailable');
        assert.equal((await api.get('/readyz')).status, 200, 'all else is served');
        assert.equal((await ask('XAAA')).status, 200);

        const part = basename(paths.at(-1) as string);
        await admin.command({ query: `ALTER TABLE observations DETACH PART '${part}'` });
        assert.deepEqual([...(await completeTables(admin, yearWindow(2024))).keys()], ['observations']);
        assert.equal((await ask(MANY)).status, 200);
      } finally {
        await api.stop();
      }
    });
  });
});
