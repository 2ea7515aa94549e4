import assert from 'node:assert/strict';
import type { Archive } from '../../../../clickhouse/archive.ts';
import type { RecordedSlice } from '../../../../clickhouse/coverage/ledger/ledger.ts';
import { readCoverageStates } from '../../../../clickhouse/coverage/state.ts';
import { readMissingDays } from '../../../../clickhouse/coverage/station-days.ts';
import { rebuildCoverage, reopenDays } from '../../../../clickhouse/recovery/recover-archive.ts';
import { iem } from '../../../../loader/sources/iem.ts';
import { useArchive } from '../../../support/archive/archive.ts';
import { day, sliceRecord } from '../../../support/archive/ledger.ts';
import { loadWith } from '../../../support/loader/run-load.ts';
import { hourly } from '../../../support/sources/iem-reports.ts';
import { replayIem } from '../../../support/sources/replay-iem.ts';
import { withReplay } from '../../../support/sources/replay-server.ts';

const STATIONS = ['XAAA', 'XAAB'];
const MARCH = { firstDay: day('2024-03-01'), endDay: day('2024-04-01') };

describe('days whose reports are lost', () => {
  const archive = useArchive();

  before(async () => {
    const reports = STATIONS.flatMap((station) => [
      ...hourly(station, '2023-12-25', 14),
      ...hourly(station, '2024-03-01', 31),
    ]);
    await withReplay(replayIem(reports), async ({ url }) => {
      for (const range of ['--from 2023-12-25 --to 2024-01-08', '--from 2024-03-01 --to 2024-04-01'])
        await loadWith(archive.client, iem(url), `--source iem --stations XAAA,XAAB ${range}`);
    });
    for (const table of ['observations', 'slices', 'coverage'])
      await archive.client.command({ query: `CREATE TABLE kept_${table} AS ${table}` });
    await copyTables('', 'kept_');
  });

  async function copyTables(from: string, to: string): Promise<void> {
    for (const table of ['observations', 'slices', 'coverage'])
      await archive.client.command({ query: `TRUNCATE TABLE ${to}${table}` });
    for (const table of ['slices', 'observations', 'coverage'])
      await archive.client.command({ query: `INSERT INTO ${to}${table} SELECT * FROM ${from}${table}` });
  }

  beforeEach(async () => {
    await copyTables('kept_', '');
    assert.deepEqual(await missing(), {}, 'every day is done');
  });

  const run = (query: string) => archive.client.command({ query: `${query} SETTINGS mutations_sync = 2` });
  const state = async () => {
    const states = await readCoverageStates(archive.client, STATIONS);
    return new Map([...states].map(([code, { listings: _, ...rest }]) => [code, rest]));
  };
  /** What the next load of two weeks and of March plans. */
  const missing = async () => {
    const asked = [{ firstDay: day('2023-12-25'), endDay: day('2024-01-08') }, MARCH];
    const planned: Record<string, unknown[]> = {};
    for (const range of asked) {
      const days = await readMissingDays(archive.client, { source: 'iem', stations: STATIONS, ...range });
      for (const [code, ranges] of days) planned[code] = [...(planned[code] ?? []), ...ranges];
    }
    return planned;
  };

  it('are open again, for the stations that have lost them, and their reports are no longer in coverage', async () => {
    const intact = await state();
    await run(
      "ALTER TABLE observations DELETE WHERE station = 'XAAA' AND observedAt >= '2024-03-20 00:00:00'",
    );
    const reopened = await reopenDays(archive.client, 2024);
    assert.deepEqual(reopened.map(claimOf), [{ source: 'iem', station: 'XAAA', ...MARCH }]);
    assert.deepEqual(await missing(), { XAAA: [MARCH] });
    const now = await state();
    assert.deepEqual(now.get('XAAB'), intact.get('XAAB'));
    assert.equal(
      now.get('XAAA')?.reports.find(({ first }) => first >= Date.UTC(2024, 0) / 1000)?.last,
      Date.UTC(2024, 2, 19, 23, 51) / 1000,
    );
  });

  it('are open again when a whole year is gone, and the other years stay as they are', async () => {
    const intact = await state();
    await archive.client.command({ query: 'ALTER TABLE observations DROP PARTITION 2024' });
    await reopenDays(archive.client, 2024);
    const days = [{ firstDay: '2024-01-01', endDay: '2024-01-08' }, MARCH];
    assert.deepEqual(await missing(), { XAAA: days, XAAB: days });
    const before2024 = intact.get('XAAA')?.reports.filter(({ last }) => last < Date.UTC(2024, 0) / 1000);
    assert.deepEqual((await state()).get('XAAA')?.reports, before2024);
  });

  it('are those of slices over all stations too', async () => {
    const row = sliceRecord('2024-03-05', '2024-03-06', { station: '*', reports: 50, reportsByDay: [50] });
    await archive.client.insert({ table: 'slices', rows: [row] });
    assert.deepEqual(await reopenDays(archive.client, 2024), []);
    await run(
      "ALTER TABLE observations DELETE WHERE station = 'XAAB' AND observedAt = '2024-03-05 05:51:00'",
    );
    const reopened = await reopenDays(archive.client, 2024);
    const byStation = reopened.map(claimOf).toSorted((a, b) => a.station.localeCompare(b.station));
    assert.deepEqual(byStation, [
      { source: 'iem', station: '*', firstDay: '2024-03-05', endDay: '2024-03-06' },
      { source: 'iem', station: 'XAAB', ...MARCH },
    ]);
  });

  it('are never done after an interruption, and open after the repetition', async () => {
    await archive.client.command({ query: 'ALTER TABLE observations DROP PARTITION 2024' });
    const days = [{ firstDay: '2024-01-01', endDay: '2024-01-08' }, MARCH];
    for (let step = 1; ; step += 1) {
      await archive.client.command({ query: 'TRUNCATE TABLE coverage' });
      await archive.client.command({ query: 'INSERT INTO coverage SELECT * FROM kept_coverage' });
      await archive.client.command({ query: 'TRUNCATE TABLE slices' });
      await archive.client.command({ query: 'INSERT INTO slices SELECT * FROM kept_slices' });
      const interrupted = await reopenDays(failAfter(archive.client, step), 2024).then(
        () => false,
        () => true,
      );
      assert.deepEqual(await missing(), { XAAA: days, XAAB: days }, `after step ${step}`);
      await reopenDays(archive.client, 2024);
      assert.deepEqual(await missing(), { XAAA: days, XAAB: days }, `repeated after step ${step}`);
      if (!interrupted) return assert.ok(step > 3, 'it was interrupted at each step');
    }
  });

  it('stay done where only the view has lost rows: it is made again as it was', async () => {
    const intact = await state();
    await archive.client.command({ query: 'TRUNCATE TABLE coverage' });
    for (const year of [2023, 2024]) await rebuildCoverage(archive.client, year);
    assert.deepEqual(await state(), intact);
    assert.deepEqual(await missing(), {});
  });
});

function claimOf({ source, station, firstDay, doneDay }: RecordedSlice) {
  return { source, station, firstDay, endDay: doneDay };
}

/** An archive whose connection breaks after this number of statements. */
function failAfter(archive: Archive, statements: number): Archive {
  let left = statements;
  return {
    ...archive,
    command: async (statement, signal) => {
      left -= 1;
      if (left < 0) throw new Error('power failure');
      await archive.command(statement, signal);
    },
  };
}
