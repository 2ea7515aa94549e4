import assert from 'node:assert/strict';
import { readMissingDays } from '../../../../clickhouse/coverage/station-days.ts';
import type { Source } from '../../../../clickhouse/model/report.ts';
import { NO_LIMIT } from '../../../support/archive/archive.ts';
import { day, list, listAt, recordDone } from '../../../support/archive/ledger.ts';
import { useArchive } from '../../../support/archive/use-archive.ts';

describe('missing days of a source', () => {
  const archive = useArchive();
  beforeEach(async () => {
    for (const table of ['slices', 'coverage', 'stations'])
      await archive.client.command({ query: `TRUNCATE TABLE ${table}` });
  });

  const missing = async (
    firstDay: string,
    endDay: string,
    { source = 'iem', stations = ['XAAA'] }: { source?: Source; stations?: readonly string[] } = {},
  ) => {
    const asked = { source, stations, firstDay: day(firstDay), endDay: day(endDay) };
    const days = await readMissingDays(archive.client, asked, NO_LIMIT);
    return [...days].map(
      ([station, ranges]) =>
        `${station} ${ranges.map((range) => `${range.firstDay} to ${range.endDay}`).join(', ')}`,
    );
  };

  it('are all days of a station without listing, whatever its ledger says (D13)', async () => {
    await recordDone(archive.client, '2024-01-01', '2024-01-05');
    assert.deepEqual(await missing('2024-01-01', '2024-01-08'), ['XAAA 2024-01-01 to 2024-01-08']);
  });

  it('are the days that its own ledger lacks, whatever other sources have done', async () => {
    await list(archive.client, {}, { source: 'ogimet' });
    await recordDone(archive.client, '2024-01-01', '2024-01-03');
    await recordDone(archive.client, '2024-01-03', '2024-01-05', { source: 'ogimet' });
    assert.deepEqual(await missing('2024-01-01', '2024-01-07'), ['XAAA 2024-01-03 to 2024-01-07']);
    assert.deepEqual(await missing('2024-01-01', '2024-01-07', { source: 'ogimet' }), [
      'XAAA 2024-01-01 to 2024-01-03, 2024-01-05 to 2024-01-07',
    ]);
    assert.deepEqual(await missing('2024-01-01', '2024-01-07', { source: 'ncei' }), [
      'XAAA 2024-01-01 to 2024-01-07',
    ]);
  });

  it('are in the period that this source states, whatever other sources state (D37)', async () => {
    await list(
      archive.client,
      { firstDay: day('2024-01-03'), lastDay: day('2024-01-05') },
      { source: 'ncei', firstDay: day('2023-01-01') },
    );
    assert.deepEqual(await missing('2024-01-01', '2024-01-08'), ['XAAA 2024-01-03 to 2024-01-06']);
    assert.deepEqual(await missing('2024-01-01', '2024-01-08', { source: 'ncei' }), [
      'XAAA 2024-01-01 to 2024-01-08',
    ]);
  });

  it('include the day on which the source stated the end of a period, and later days (D37)', async () => {
    await listAt(archive.client, '2020-07-01', { firstDay: day('2010-01-01'), lastDay: day('2011-12-31') });
    assert.deepEqual(await missing('2020-01-01', '2021-01-01'), ['XAAA 2020-07-01 to 2021-01-01']);
  });

  it('of all stations depend on slices of all stations alone; these count for each listed station', async () => {
    await list(archive.client, { station: 'XAAA' }, { station: 'XAAB', source: 'ncei' });
    await recordDone(archive.client, '2024-01-01', '2024-01-02', { station: '*' });
    await recordDone(archive.client, '2024-01-02', '2024-01-03');
    assert.deepEqual(await missing('2024-01-01', '2024-01-04', { stations: ['XAAA', 'XAAB'] }), [
      'XAAA 2024-01-03 to 2024-01-04',
      'XAAB 2024-01-01 to 2024-01-04',
    ]);
    assert.deepEqual(await missing('2024-01-01', '2024-01-04', { stations: ['*'] }), [
      '* 2024-01-02 to 2024-01-04',
    ]);
  });

  it('leave out stations of which every day is done', async () => {
    await list(archive.client, {});
    await recordDone(archive.client, '2023-12-20', '2024-01-05');
    assert.deepEqual(await missing('2023-12-20', '2024-01-05'), []);
    assert.deepEqual(await missing('2024-01-05', '2024-01-05'), []);
  });
});
