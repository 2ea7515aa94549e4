import assert from 'node:assert/strict';
import { readMissingDays } from '../../../../clickhouse/coverage/station-days.ts';
import { day, list, recordDone } from '../../../support/archive/ledger.ts';
import { useArchive } from '../../../support/archive/use-archive.ts';

/** `coverage-agreement.test.ts` has the days that single stations lack. */
describe('missing days of a source', () => {
  const archive = useArchive();

  it('of all stations depend on slices of all stations alone; these count for each listed station', async () => {
    await list(archive.client, { station: 'XAAA' }, { station: 'XAAB', source: 'ncei' });
    await recordDone(archive.client, '2024-01-01', '2024-01-02', { station: '*' });
    await recordDone(archive.client, '2024-01-02', '2024-01-03');
    const missing = async (...stations: readonly string[]) => {
      const asked = { source: 'iem', stations, firstDay: day('2024-01-01'), endDay: day('2024-01-04') };
      const days = await readMissingDays(archive.client, asked);
      return [...days].map(([station, ranges]) => [station, ...ranges.map(({ firstDay }) => firstDay)]);
    };
    assert.deepEqual(await missing('XAAA', 'XAAB'), [
      ['XAAA', '2024-01-03'],
      ['XAAB', '2024-01-01'],
    ]);
    assert.deepEqual(await missing('*'), [['*', '2024-01-02']]);
  });
});
