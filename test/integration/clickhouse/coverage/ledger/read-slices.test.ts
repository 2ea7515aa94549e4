import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { recordSlices, type SliceRecord } from '../../../../../clickhouse/coverage/ledger/ledger.ts';
import { readUsualVolume } from '../../../../../clickhouse/coverage/ledger/read-slices.ts';
import type { Day } from '../../../../../clickhouse/model/day.ts';
import { NO_LIMIT } from '../../../../support/archive/archive.ts';
import { useArchive } from '../../../../support/archive/use-archive.ts';

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
  const volumeOf = (slice: SliceRecord) => readUsualVolume(archive.client, slice, NO_LIMIT);

  it('is the median of the three nearest complete slices of its source and station', async () => {
    const slices = [
      ...[year(2010, 5), year(2011, 20), year(2013, 30), year(2014, 40), year(2015, 9)],
      year(2012, 1, { doneDay: '2012-06-01' as Day }),
      year(2012, 2, { station: 'XAAB' }),
      year(2012, 3, { source: 'ogimet' }),
      year(2012, 10, { station: 'XAAC' }),
      year(2013, 90, { station: 'XAAC' }),
    ];
    await recordSlices(archive.client, slices, NO_LIMIT);
    assert.equal(await volumeOf(year(2012, 0)), 20);
    assert.equal(await volumeOf(year(2012, 0, { station: 'XAAB' })), undefined);
    assert.equal(await volumeOf(year(2013, 0, { station: 'XAAB' })), 2);
    assert.equal(await volumeOf(year(2014, 0, { station: 'XAAC' })), 50);
    assert.equal(await volumeOf(year(2013, 0, { station: 'XAAD' })), undefined);
  });
});
