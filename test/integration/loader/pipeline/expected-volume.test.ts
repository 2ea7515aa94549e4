import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { recordSlice, type SliceRecord } from '../../../../clickhouse/coverage/ledger/ledger.ts';
import type { Day } from '../../../../clickhouse/model/day.ts';
import { ExpectedVolume } from '../../../../loader/pipeline/fetch-complete.ts';
import { emptyArchive, NO_LIMIT } from '../../../support/archive/archive.ts';

describe('expected volume of a slice', () => {
  let archive: Awaited<ReturnType<typeof emptyArchive>>;
  beforeEach(async () => {
    archive = await emptyArchive();
  });
  afterEach(() => archive.close());

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
  const record = (slice: SliceRecord) => recordSlice(archive.client, slice, NO_LIMIT);

  it('is the median of the three nearest complete slices of its source and station', async () => {
    for (const slice of [year(2010, 5), year(2011, 20), year(2013, 30), year(2014, 40), year(2015, 9)])
      await record(slice);
    await record(year(2012, 1, { doneDay: '2012-06-01' as Day }));
    await record(year(2012, 2, { station: 'XAAB' }));
    await record(year(2012, 3, { source: 'ogimet' }));
    const volume = new ExpectedVolume(archive.client);
    assert.equal(await volume.reportsPerDay(year(2012, 0), NO_LIMIT), 20);
    assert.equal(await volume.reportsPerDay(year(2012, 0, { station: 'XAAB' }), NO_LIMIT), undefined);
    assert.equal(await volume.reportsPerDay(year(2013, 0, { station: 'XAAB' }), NO_LIMIT), 2);
    assert.equal(await volume.reportsPerDay(year(2013, 0, { station: 'XAAC' }), NO_LIMIT), undefined);
  });

  it('is read from the ledger once a station and then kept up to date by this run', async () => {
    await record(year(2010, 24));
    const volume = new ExpectedVolume(archive.client);
    assert.equal(await volume.reportsPerDay(year(2012, 0), NO_LIMIT), 24);
    await record(year(2011, 80));
    assert.equal(await volume.reportsPerDay(year(2012, 0), NO_LIMIT), 24);
    volume.add(year(2011, 80));
    volume.add(year(2013, 500, { doneDay: '2013-01-01' as Day }));
    assert.equal(await volume.reportsPerDay(year(2012, 0), NO_LIMIT), 52);
    // A slice that was added before the station was read is in the ledger, and must not count twice.
    await record(year(2010, 10, { station: 'XAAB' }));
    volume.add(year(2010, 10, { station: 'XAAB' }));
    await record(year(2011, 20, { station: 'XAAB' }));
    await record(year(2012, 90, { station: 'XAAB' }));
    assert.equal(await volume.reportsPerDay(year(2013, 0, { station: 'XAAB' }), NO_LIMIT), 20);
  });
});
