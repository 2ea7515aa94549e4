import assert from 'node:assert/strict';
import { sampleSlices } from '../../../../../clickhouse/coverage/ledger/read-slices.ts';
import { NO_LIMIT } from '../../../../support/archive/archive.ts';
import { day, list, recordDone } from '../../../../support/archive/ledger.ts';
import { useArchive } from '../../../../support/archive/use-archive.ts';

describe('sample of done slices', () => {
  const archive = useArchive();
  before(async () => {
    const { client } = archive;
    await list(client, { station: 'XAAA' }, { station: 'XAAB', source: 'ogimet' });
    await recordDone(client, '2024-01-01', '2024-02-01');
    await recordDone(client, '2024-01-01', '2024-02-01', { station: 'XAAB' });
    await recordDone(client, '2024-01-05', '2024-01-06', { station: '*' });
    await recordDone(client, '2024-01-20', '2024-02-10', { doneDay: day('2024-01-20') });
  });

  const sample = async (firstDay: string, endDay: string) => {
    const asked = { sample: 10, sources: ['iem', 'ogimet'], stations: [] } as const;
    const slices = await sampleSlices(
      archive.client,
      { ...asked, firstDay: day(firstDay), endDay: day(endDay) },
      NO_LIMIT,
    );
    return slices.map((each) => `${each.source} ${each.station} ${each.firstDay} ${each.endDay}`).sort();
  };

  it('has slices of listed stations and of all stations, none without a done day (D13)', async () => {
    assert.deepEqual(await sample('2023-01-01', '2025-01-01'), [
      'iem * 2024-01-05 2024-01-06',
      'iem XAAA 2024-01-01 2024-02-01',
    ]);
  });

  it('is cut to the requested days', async () => {
    assert.deepEqual(await sample('2024-01-10', '2024-01-20'), ['iem XAAA 2024-01-10 2024-01-20']);
  });
});
