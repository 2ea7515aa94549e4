import assert from 'node:assert/strict';
import { iem } from '../../../../loader/sources/iem.ts';
import { ncei } from '../../../../loader/sources/ncei/ncei.ts';
import { readAllReports, useArchive } from '../../../support/archive/archive.ts';
import { loadWith } from '../../../support/loader/run-load.ts';
import { FAULTS, type Fault } from '../../../support/sources/replay-faults.ts';
import { replayIem } from '../../../support/sources/replay-iem.ts';
import { type IsdRow, type IsdStation, metBlock, replayNcei } from '../../../support/sources/replay-ncei.ts';
import { withReplay } from '../../../support/sources/replay-server.ts';

const OLD = { usaf: '744860', wban: '94789', begin: '19730101', end: '20150630' };
const NEW = { usaf: '744861', wban: '94789', begin: '20150701', end: '20250827' };
const OTHER = { usaf: '999999', wban: '00001', begin: '20000101', end: '20051231' };

let nextStation = 0;

describe('load from NCEI', () => {
  const archive = useArchive();

  async function load(
    station: string,
    rows: readonly IsdRow[],
    faults: readonly (Fault | 'none')[] = [],
    range = '--from 2015-01-01 --to 2016-01-01',
  ) {
    const stations: readonly IsdStation[] = [OLD, NEW, OTHER].map((number) => ({ ...number, icao: station }));
    const line = `--source ncei --stations ${station} ${range}`;
    return withReplay(replayNcei(stations, rows, faults), async ({ url, requests }) => ({
      ...(await loadWith(archive.client, ncei(url), line)),
      requests,
    }));
  }
  const stored = async (station: string) =>
    (await readAllReports(archive.client, station))
      .map(({ type, raw, source }) => `${source} ${type} ${raw}`)
      .sort();
  const row = (id: string, date: string, remarks: string): IsdRow => ({
    id,
    date,
    type: remarks.includes('SPECI ') ? 'FM-16' : 'FM-15',
    remarks,
  });

  it('requests the file of every ISD id of the year, and stores each report once', async () => {
    const rows = [
      row(
        '74486094789',
        '2015-01-01T00:51:00',
        metBlock('12/31/14 19:51:03 METAR KQAA 010051Z 18004KT (DF)'),
      ),
      row('74486094789', '2015-06-30T23:51:00', metBlock('METAR KQAA 302351Z 18005KT=')),
      row('74486194789', '2015-06-30T23:51:00', metBlock('METAR KQAA 302351Z 18005KT=')),
      row('74486194789', '2015-07-01T00:07:00', metBlock('SPECI KQAA 010007Z 18006KT=', 9)),
    ];
    const { requests, tally, daysLeft } = await load('KQAA', rows);
    assert.deepEqual(requests, [
      '/pub/data/noaa/isd-history.csv',
      // Twice, because there are no other slices yet to compare the number of reports with.
      '/data/global-hourly/access/2015/74486094789.csv',
      '/data/global-hourly/access/2015/74486194789.csv',
      '/data/global-hourly/access/2015/74486094789.csv',
      '/data/global-hourly/access/2015/74486194789.csv',
    ]);
    assert.deepEqual(await stored('KQAA'), [
      'ncei METAR METAR KQAA 010051Z 18004KT',
      'ncei METAR METAR KQAA 302351Z 18005KT',
      'ncei SPECI SPECI KQAA 010007Z 18006KT',
    ]);
    assert.deepEqual([tally.reports, tally.skipped['duplicate report'], daysLeft], [3, 1, 0]);
  });

  it('leaves the day of a text that is cut short not done, and the other days done', async () => {
    const id = '74486094789';
    const rows = [
      row(id, '2015-03-01T00:51:00', metBlock('METAR KQAG 010051Z 18004KT=')),
      row(id, '2015-03-02T00:51:00', metBlock('METAR KQAG 020051Z 18', 60)),
      row(id, '2015-03-02T01:51:00', metBlock('METAR KQAG 020151Z 18004KT=')),
      row(id, '2015-03-03T00:51:00', metBlock('METAR KQAG 030051Z 18004KT=')),
    ];
    const first = await load('KQAG', rows);
    assert.deepEqual([first.tally.skipped, first.daysLeft], [{ 'cut short': 1 }, 1]);
    assert.equal((await stored('KQAG')).length, 3);
    const second = await load('KQAG', rows);
    // The slice of the one day, which shares its file with the rest of the year.
    assert.deepEqual([second.tally.slices, second.tally.reports, second.daysLeft], [1, 1, 1]);
  });

  it('accepts a year without file after two requests, but not of a station that its list has no more', async () => {
    const { daysLeft, tally, requests } = await load('KQAC', []);
    assert.deepEqual([daysLeft, tally.reports], [0, 0]);
    const files = requests.filter((path) => path.startsWith('/data/'));
    assert.equal(files.length, 2 * 2);
    const line = '--source ncei --stations KQAC --from 2016-01-01 --to 2017-01-01';
    const replay = replayNcei([{ ...NEW, icao: 'KQAZ' }], []);
    const gone = await withReplay(replay, ({ url }) => loadWith(archive.client, ncei(url), line));
    assert.equal(gone.daysLeft, 366);
  });

  it('requests no day after the end of ISD, and does not count it as left', async () => {
    const { requests, daysLeft } = await load('KQAD', [], [], '--from 2025-08-29 --to 2025-08-31');
    assert.deepEqual([requests.length, daysLeft], [0, 0]);
  });

  it('replaces text and type of a report from IEM', async () => {
    const reports = [{ id: 'QAE', valid: '2015-01-01 00:51', metar: 'KQAE 010051Z 18004KT' }];
    const line = '--source iem --stations KQAE --from 2015-01-01 --to 2015-01-02';
    await withReplay(replayIem(reports), ({ url }) => loadWith(archive.client, iem(url), line));
    assert.deepEqual(await stored('KQAE'), ['iem METAR KQAE 010051Z 18004KT']);
    const special = row('74486094789', '2015-01-01T00:51:00', metBlock('SPECI KQAE 010051Z 18004KT='));
    await load('KQAE', [special]);
    assert.deepEqual(await stored('KQAE'), ['ncei SPECI SPECI KQAE 010051Z 18004KT']);
  });

  for (const fault of ['html', 'cut connection', 'cut line'] as const)
    it(`loads every report after a fault: ${FAULTS[fault].about}`, async () => {
      const station = `KQB${nextStation++}`;
      const rows = [1, 2, 3].map((hour) =>
        row('74486094789', `2015-01-01T0${hour}:51:00`, metBlock(`METAR ${station} 010${hour}51Z 18004KT=`)),
      );
      const { tally, requests } = await load(station, rows, [fault]);
      assert.deepEqual([tally.inserted, requests.length], [3, 6]);
    });
});
