import assert from 'node:assert/strict';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { recordSlices } from '../../../../clickhouse/coverage/ledger/ledger.ts';
import type { Day } from '../../../../clickhouse/model/day.ts';
import { yearWindow } from '../../../../clickhouse/model/time-window.ts';
import { readOtherWriters } from '../../../../clickhouse/observations/writers.ts';
import { REPORT_TABLES } from '../../../../clickhouse/statements/current-reports.ts';
import { selectRows } from '../../../../clickhouse/statements/select.ts';
import { Writer } from '../../../../loader/pipeline/writer.ts';
import { demo } from '../../../../loader/sources/demo/demo.ts';
import { archiveOnOwnEngine, insert, put, report, useArchive } from '../../../support/archive/archive.ts';
import { loadWith } from '../../../support/loader/run-load.ts';

const SYNCS = `SELECT event, toUInt32(value) AS count FROM system.events
  WHERE event IN ('FileSync', 'DirectorySync')`;

describe('what a load acknowledges (D49)', () => {
  const archive = useArchive();

  it('is inserted in the order open days, reports by time, reports by station, hours of coverage, ledger, closed days', async () => {
    const steps: string[] = [];
    const client: Archive = {
      ...archive.client,
      async insert(about, signal) {
        steps.push(`send ${about.table}`);
        await archive.client.insert(about, signal);
        steps.push(`acknowledge ${about.table}`);
      },
      async insertFile(statement, bytes, signal) {
        const [, table] = /^INSERT INTO (\w+)/.exec(statement.query) ?? [];
        steps.push(`send ${table}`);
        await archive.client.insertFile(statement, bytes, signal);
        steps.push(`acknowledge ${table}`);
      },
    };
    const args = '--source demo --stations XAAA --from 2024-01-01 --to 2024-02-01';
    await loadWith(client, demo(), args);
    // The second load finds its reports, and records their hours again.
    await loadWith(client, demo(), `${args} --refetch`);
    const written = steps.filter((step) => !/ stations$| station_descriptions$| writers$/.test(step));
    const inTurn = (...tables: readonly string[]) =>
      tables.flatMap((table) => [`send ${table}`, `acknowledge ${table}`]);
    assert.deepEqual(written, [
      ...inTurn('day_months'),
      // Rows are sent to both tables at the same time; the second is complete once the first is stored.
      ...REPORT_TABLES.map((table) => `send ${table}`),
      ...REPORT_TABLES.map((table) => `acknowledge ${table}`),
      ...inTurn('slices', 'days', 'day_months', 'coverage', 'slices'),
    ]);
  });

  it('is synced with its folder when it is acknowledged, and so is what the views make of it', async () => {
    const { client, close } = await archiveOnOwnEngine();
    const countSyncs = async () => {
      const rows = await selectRows<{ event: string; count: number }>(client, { query: SYNCS });
      const syncs = new Map(rows.map(({ event, count }) => [event, count]));
      return [syncs.get('FileSync') ?? 0, syncs.get('DirectorySync') ?? 0] as const;
    };
    const slice = { source: 'iem', station: 'XAAA', reports: 1, inserted: 1, skipped: {}, run: 'a' } as const;
    const days = { firstDay: '2024-01-01' as Day, doneDay: '2024-01-02' as Day, endDay: '2024-01-02' as Day };
    const inserts = [
      () => insert(client, put(report({ at: '2024-01-01T00:00:00Z' }))),
      () => recordSlices(client, [{ ...slice, ...days, reportsByDay: [1] }]),
    ];
    try {
      for (const run of inserts) {
        const [files, folders] = await countSyncs();
        await run();
        const [filesAfter, foldersAfter] = await countSyncs();
        // A part of each table, and one of `coverage` by its view.
        assert.ok(filesAfter - files >= 2, `${filesAfter - files} files`);
        assert.ok(foldersAfter - folders >= 2, `${foldersAfter - folders} folders`);
      }
    } finally {
      await close();
    }
  });
});

describe('a loader whose write has failed', () => {
  const archive = useArchive('each');

  it('ends in good order if the write was repeated without another one, and coverage knows what was stored', async () => {
    const { client } = archive;
    const writer = new Writer(client, 'repeats');
    const failure = new Error('failed');
    const write = async () => {
      await insert(client, put(report({ at: '2024-01-01T00:00:00Z' })));
      // As if the engine had ended before the view.
      await client.command({ query: 'TRUNCATE TABLE coverage' });
      throw failure;
    };
    await assert.rejects(writer.write({ stations: [], ...yearWindow(2024) }, write), failure);
    await writer.close();
    assert.deepEqual((await readOtherWriters(client, 'another')).open, []);
    const query = 'SELECT toUInt32(groupBitmapMerge(hours)) AS hours FROM coverage';
    assert.deepEqual(await selectRows(client, { query }), [{ hours: 1 }]);
  });
});
