import assert from 'node:assert/strict';
import { type Archive, canceledBy } from '../../../../clickhouse/archive.ts';
import { deleteRows } from '../../../../clickhouse/observations/maintenance.ts';
import { importSnapshot } from '../../../../loader/snapshot/import.ts';
import { openSnapshot } from '../../../../loader/snapshot/snapshot-folder.ts';
import { demo } from '../../../../loader/sources/demo/demo.ts';
import { insert, NO_LIMIT, put, report, useArchive } from '../../../support/archive/archive.ts';
import { recordDone } from '../../../support/archive/ledger.ts';
import { loadWith } from '../../../support/loader/run-load.ts';
import { assertSameArchive } from '../../../support/snapshot/described-archive.ts';
import { exportTo, NEVER, NO_PROGRESS } from '../../../support/snapshot/snapshot.ts';
import { newFolder } from '../../../support/test-run.ts';

const STATIONS = ['XAAA', 'XAAB'];

describe('an interrupted import of a snapshot', () => {
  const source = useArchive();
  const target = useArchive();
  const folder = newFolder();

  before(async () => {
    for (const year of [2022, 2023])
      await loadWith(
        source.client,
        demo(),
        `--source demo --stations ${STATIONS.join()} --from ${year}-02-01 --to ${year}-02-06`,
      );
    await exportTo(source.client, folder);
  });

  it('claims no day before its reports are there, and is resumed by the same command', async () => {
    const snapshot = await openSnapshot(folder, NO_LIMIT);
    /** Looks at what each write leaves, and breaks off after one of them, which is the same as before the next one. */
    const run = (last: number) => {
      let writes = 0;
      const write = async (work: Promise<void>) => {
        await work;
        const query = 'SELECT (SELECT count() FROM slices), (SELECT count() FROM observations) FORMAT TSV';
        const [claims, reports] = (await target.client.select({ query })).toString().split('\t').map(Number);
        if (claims !== 0) assert.equal(reports, snapshot.manifest.reports);
        writes += 1;
        if (writes === last) throw new Error('cut');
      };
      const archive: Archive = {
        ...target.client,
        insert: (...args) => write(target.client.insert(...args)),
        insertFile: (...args) => write(target.client.insertFile(...args)),
        command: (...args) => write(target.client.command(...args)),
      };
      return importSnapshot({ archive, progress: NO_PROGRESS, stop: NEVER }, snapshot);
    };
    // Twice when one table of reports has those of a year, then between the hours of both years.
    for (const last of [4, 4, 6]) await assert.rejects(run(last), new Error('cut'));
    await run(NaN);
    await assertSameArchive(target.client, source.client, STATIONS);
    const counts = await target.client.select({
      query: 'SELECT (SELECT count() FROM observations), (SELECT count() FROM slices) FORMAT TSV',
    });
    const rows = snapshot.manifest.files.find(({ path }) => path === 'slices.parquet')?.rows;
    assert.equal(counts.toString().trim(), `${snapshot.manifest.reports}\t${rows}`, 'nothing is there twice');
  });

  it('makes the hours again that an engine lacks because it was killed after it had stored the reports', async () => {
    for (const table of ['coverage', 'slices']) await deleteRows(target.client, table, 'true', {});
    const snapshot = await openSnapshot(folder, NO_LIMIT);
    await importSnapshot({ archive: target.client, progress: NO_PROGRESS, stop: NEVER }, snapshot);
    await assertSameArchive(target.client, source.client, STATIONS);
    assert.equal(await hoursOf(target.client), await hoursOf(source.client));
  });

  it('writes no ledger when it is stopped at once after its last check', async () => {
    const snapshot = await openSnapshot(folder, NO_LIMIT);
    /** Imports what the archive has except its ledger, and stops when a number of statements have answered. */
    const run = async (stopAt: number) => {
      await deleteRows(target.client, 'slices', 'true', {});
      const stopping = new AbortController();
      let answered = 0;
      let beforeWrites: number | undefined;
      const client: Archive = {
        ...target.client,
        async select(select, signal) {
          const bytes = await target.client.select(select, signal);
          // How often other loaders are looked for depends on the time.
          if (!select.query.includes('FROM writers')) answered += 1;
          if (answered === stopAt) stopping.abort();
          return bytes;
        },
        insertFile(...args) {
          beforeWrites ??= answered;
          return target.client.insertFile(...args);
        },
      };
      const { signal } = stopping;
      await importSnapshot(
        { archive: canceledBy(signal, client), progress: NO_PROGRESS, stop: { ...NEVER, now: signal } },
        snapshot,
      );
      return beforeWrites ?? 0;
    };
    const checks = await run(0);
    await assert.rejects(run(checks), { name: 'AbortError' });
    const claims = await target.client.select({ query: 'SELECT count() FROM slices FORMAT TSV' });
    assert.equal(Number(claims), 0);
  });

  it('exports no claim without its reports while a loader writes', async () => {
    const path = newFolder();
    const writer = async () => {
      for (let day = 1; day <= 9; day += 1) {
        const at = `2020-01-0${day}`;
        await insert(source.client, put(report({ at: `${at}T00:00:00Z`, station: 'XAAC' })));
        await recordDone(source.client, at, `2020-01-${String(day + 1).padStart(2, '0')}`, {
          station: 'XAAC',
          reports: 1,
          reportsByDay: [1],
        });
      }
    };
    const writing = writer();
    for (let round = 0; round < 2; round += 1) await exportTo(source.client, path);
    await writing;
    // An import refuses a ledger that counts more than the files hold.
    await importSnapshot(
      { archive: target.client, progress: NO_PROGRESS, stop: NEVER },
      await openSnapshot(path, NO_LIMIT),
    );
  });
});

/** How many hours have reports, by station and year. */
async function hoursOf(client: Archive): Promise<string> {
  const query =
    'SELECT station, year, groupBitmapMerge(hours) FROM coverage GROUP BY station, year ORDER BY station, year FORMAT TSV';
  return (await client.select({ query })).toString();
}
