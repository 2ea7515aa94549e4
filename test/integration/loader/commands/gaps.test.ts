import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { listStations } from '../../../../clickhouse/coverage/station-listings.ts';
import type { Day } from '../../../../clickhouse/model/day.ts';
import { findGaps, type Gap } from '../../../../loader/checks/gaps.ts';
import { demo } from '../../../../loader/sources/demo/demo.ts';
import { iem } from '../../../../loader/sources/iem/iem.ts';
import { NO_LIMIT } from '../../../support/archive.ts';
import { folderOf, hourly } from '../../../support/iem-folder.ts';
import { replayIem } from '../../../support/replay-iem.ts';
import { loadWith } from '../../../support/run-load.ts';
import { useArchive } from '../../../support/use-archive.ts';

const NOW = new Date('2024-06-01T00:00:00Z');

describe('the gaps of an archive', function () {
  this.timeout(60_000);
  const archive = useArchive();

  const gapsOf = (stations: readonly string[], from: string, to: string) =>
    findGaps(archive.client, { stations, firstDay: from as Day, endDay: to as Day }, NOW, NO_LIMIT);
  const daysOf = (gaps: readonly Gap[]) =>
    gaps.map(({ kind, source, firstDay, endDay }) => [kind, source, firstDay, endDay]);

  it('are the days of the scope that are not done, in stretches that go on over the New Year', async () => {
    await loadWith(archive.client, demo(), '--source demo --stations XAAA --from 2023-12-01 --to 2023-12-20');
    await loadWith(archive.client, demo(), '--source demo --stations XAAA --from 2024-01-10 --to 2024-01-20');
    assert.deepEqual(daysOf(await gapsOf(['XAAA'], '2023-12-05', '2024-01-25')), [
      ['not done', 'demo', '2023-12-20', '2024-01-10'],
      ['not done', 'demo', '2024-01-20', '2024-01-25'],
    ]);
    assert.deepEqual(await gapsOf(['XAAA'], '2023-12-01', '2023-12-20'), []);
  });

  it('end with the period of record, and with days that are too young (D13)', async () => {
    const period = { firstDay: '2024-02-01' as Day, lastDay: '2024-02-10' as Day };
    await listStations(archive.client, [{ source: 'iem', station: 'ZZZA', ...period }], NO_LIMIT);
    await listStations(
      archive.client,
      [{ source: 'iem', station: 'ZZZB', firstDay: '2024-05-01' as Day }],
      NO_LIMIT,
    );
    assert.deepEqual(daysOf(await gapsOf(['ZZZA'], '2024-01-01', '2024-05-01')), [
      ['not done', 'iem', '2024-02-01', '2024-02-11'],
    ]);
    assert.deepEqual(daysOf(await gapsOf(['ZZZB'], '2024-01-01', '2025-01-01')), [
      ['not done', 'iem', '2024-05-01', '2024-05-29'],
    ]);
  });

  it('are also done days with far fewer reports than those around, until they are asked for again', async () => {
    const reports = hourly('ZZZC', '2024-03-01', 31);
    const line = '--source iem --stations ZZZC --from 2024-03-01 --to 2024-04-01';
    const load = async (served: typeof reports, more = '') => {
      const folder = await folderOf(served);
      const replay = await replayIem({ folder: folder.path });
      await loadWith(archive.client, iem(replay.url), line + more).finally(() => folder.remove());
      await replay.close();
    };
    await load(reports.filter(({ valid }) => valid < '2024-03-15 05' || valid > '2024-03-16'));
    assert.deepEqual(await gapsOf(['ZZZC'], '2024-03-01', '2024-04-01'), [
      {
        kind: 'thin',
        station: 'ZZZC',
        source: 'iem',
        firstDay: '2024-03-15',
        endDay: '2024-03-16',
        reports: 5,
        usual: 26,
      },
    ]);
    await load(reports, ' --again');
    assert.deepEqual(await gapsOf(['ZZZC'], '2024-03-01', '2024-04-01'), []);
  });

  it('are also slices of which the source had more than the archive holds', async () => {
    const slice = { source: 'demo', firstDay: '2024-04-01', doneDay: '2024-04-03', endDay: '2024-04-03' };
    await loadWith(archive.client, demo(), '--source demo --stations XAAB --from 2024-04-01 --to 2024-04-03');
    assert.deepEqual(await gapsOf(['XAAB'], '2024-04-01', '2024-04-03'), []);
    const told = { ...slice, station: 'XAAB', reports: 100_000, inserted: 0, skipped: {} };
    await archive.client.insert({
      table: 'slices',
      values: [{ ...told, recordedAt: '2030-01-01 00:00:00' }],
      format: 'JSONEachRow',
    });
    const [gap] = await gapsOf(['XAAB'], '2024-04-02', '2024-04-03');
    assert.ok(gap?.kind === 'short', JSON.stringify(gap));
    assert.deepEqual([gap.had, gap.firstDay, gap.endDay], [100_000, '2024-04-01', '2024-04-03']);
    assert.ok(gap.holds >= 48);
  });

  it('of all stations are those of each', async () => {
    const all = await gapsOf([], '2023-12-05', '2024-01-25');
    assert.deepEqual(daysOf(all.filter(({ station }) => station === 'XAAA')), [
      ['not done', 'demo', '2023-12-20', '2024-01-10'],
      ['not done', 'demo', '2024-01-20', '2024-01-25'],
    ]);
  });
});
