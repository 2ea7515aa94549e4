import assert from 'node:assert/strict';
import {
  readUsualVolume,
  recordSlices,
  type SliceRecord,
  sampleSlices,
} from '../../../../../clickhouse/coverage/ledger/ledger.ts';
import type { Day } from '../../../../../clickhouse/model/day.ts';
import { useArchive } from '../../../../support/archive/archive.ts';
import { day, list, recordDone } from '../../../../support/archive/ledger.ts';

describe('usual volume of a slice', () => {
  const archive = useArchive();

  const year = (of: number, perDay: number, given: Partial<SliceRecord> = {}): SliceRecord => {
    const [firstDay, endDay] = [`${of}-01-01` as Day, `${of + 1}-01-01` as Day];
    const reports = perDay * (of % 4 === 0 ? 366 : 365);
    return {
      source: 'iem',
      station: 'XAAA',
      firstDay,
      doneDay: endDay,
      endDay,
      reports,
      inserted: 0,
      skipped: {},
      run: '',
      reportsByDay: [],
      ...given,
    };
  };
  const volumeOf = (slice: SliceRecord) => readUsualVolume(archive.client, slice);

  it('is the median of the three nearest complete slices of its source and station', async () => {
    const slices = [
      ...[year(2010, 5), year(2011, 20), year(2013, 30), year(2014, 40), year(2015, 9)],
      year(2012, 1, { doneDay: '2012-06-01' as Day }),
      year(2012, 2, { station: 'XAAB' }),
      year(2012, 3, { source: 'ogimet' }),
      year(2012, 10, { station: 'XAAC' }),
      year(2013, 90, { station: 'XAAC' }),
    ];
    await recordSlices(archive.client, slices);
    assert.equal(await volumeOf(year(2012, 0)), 20);
    assert.equal(await volumeOf(year(2012, 0, { station: 'XAAB' })), undefined);
    assert.equal(await volumeOf(year(2013, 0, { station: 'XAAB' })), 2);
    assert.equal(await volumeOf(year(2014, 0, { station: 'XAAC' })), 50);
    assert.equal(await volumeOf(year(2013, 0, { station: 'XAAD' })), undefined);
  });
});

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
    const slices = await sampleSlices(archive.client, {
      ...asked,
      firstDay: day(firstDay),
      endDay: day(endDay),
    });
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
