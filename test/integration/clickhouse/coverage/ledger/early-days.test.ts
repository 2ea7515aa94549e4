import assert from 'node:assert/strict';
import { readEarlyDays, withdrawEarlyDays } from '../../../../../clickhouse/coverage/ledger/early-days.ts';
import { readCoverageStates } from '../../../../../clickhouse/coverage/state.ts';
import { dayRangesOf } from '../../../../../clickhouse/model/day.ts';
import { rebuildCoverage } from '../../../../../clickhouse/recovery/recover-archive.ts';
import { selectRows } from '../../../../../clickhouse/statements/select.ts';
import { insert, put, report, useArchive } from '../../../../support/archive/archive.ts';
import { list, sliceRecord } from '../../../../support/archive/ledger.ts';

describe('days that were recorded too early (D70)', () => {
  const archive = useArchive('each');

  const record = (firstDay: string, endDay: string, recordedAt: string, station = 'XAAA') => {
    const length = (Date.parse(endDay) - Date.parse(firstDay)) / 86_400_000;
    const reportsByDay = Array.from({ length }, () => 1);
    const row = { ...sliceRecord(firstDay, endDay, { station, reportsByDay }), recordedAt };
    return archive.client.insert({ table: 'slices', rows: [row] });
  };
  const doneDays = async (station = 'XAAA') => {
    const state = (await readCoverageStates(archive.client, [station])).get(station);
    return (state?.done ?? []).flatMap(({ days }) =>
      dayRangesOf(days).map(({ firstDay, endDay }) => [firstDay, endDay]),
    );
  };
  const early = async () =>
    (await readEarlyDays(archive.client)).map(({ source, station, days }) => [
      source,
      station,
      ...dayRangesOf(days).map(({ firstDay, endDay }) => `${firstDay} to ${endDay}`),
    ]);

  it('are not done in the coverage view, by the clock of the server', async () => {
    // The 6th had ended 72 hours before.
    await record('2024-02-01', '2024-02-20', '2024-02-10 12:00:00');
    assert.deepEqual(await doneDays(), [['2024-02-01', '2024-02-07']]);
    assert.deepEqual(await early(), [['iem', 'XAAA', '2024-02-07 to 2024-02-20']]);
    await rebuildCoverage(archive.client, 2024);
    assert.deepEqual(await doneDays(), [['2024-02-01', '2024-02-07']]);
  });

  it('are all days of a row that a server with a wrong clock has recorded', async () => {
    await record('2024-02-01', '2024-02-03', '2099-01-01 00:00:00', '*');
    assert.deepEqual(await doneDays('*'), []);
    assert.deepEqual(await early(), [['iem', '*', '2024-02-01 to 2024-02-03']]);
  });

  it('are none where another row of the source makes them done', async () => {
    await record('2024-02-01', '2024-02-20', '2024-02-10 12:00:00');
    await record('2024-02-05', '2024-02-20', '2024-03-10 12:00:00');
    assert.deepEqual(await early(), []);
    await record('2024-02-10', '2024-02-20', '2024-02-23 00:00:00', 'XAAB');
    assert.deepEqual(await early(), []);
  });

  it('are withdrawn from an archive that calls them done, and the reports of their year stay known', async () => {
    await list(archive.client, {});
    await insert(archive.client, put(report({ station: 'XAAA', at: '2024-02-08T12:00:00Z' })));
    await record('2023-12-30', '2024-02-20', '2024-01-04 12:00:00');
    // As an older version has recorded them.
    const days = Array.from({ length: 50 }, (_, n) => n + 1);
    await archive.client.command({
      query: `INSERT INTO coverage (station, year, source, days)
        SELECT 'XAAA', 2024, 'iem', groupBitmapState(toUInt16(arrayJoin([${days}])))`,
    });
    assert.deepEqual(await doneDays(), [['2023-12-30', '2024-02-20']]);
    const before = await readEarlyDays(archive.client);
    await withdrawEarlyDays(archive.client, before);
    await withdrawEarlyDays(archive.client, before);
    assert.deepEqual(await doneDays(), [['2023-12-30', '2024-01-01']]);
    assert.deepEqual(await early(), []);
    const state = (await readCoverageStates(archive.client, ['XAAA'])).get('XAAA');
    assert.equal(state?.reports.length, 1);
    const query = 'SELECT doneDay, reportsByDay FROM slices';
    assert.deepEqual(await selectRows(archive.client, { query }), [
      { doneDay: '2024-01-01', reportsByDay: [1, 1] },
    ]);
  });
});
