import assert from 'node:assert/strict';
import { readListings } from '../../../../clickhouse/coverage/station-listings.ts';
import { addDays, dayOf } from '../../../../clickhouse/model/day.ts';
import { readKnownStations } from '../../../../clickhouse/stations.ts';
import { ghcnh } from '../../../../loader/sources/ncei/ghcnh.ts';
import { readAllReports, useArchive } from '../../../support/archive/archive.ts';
import { loadWith } from '../../../support/loader/run-load.ts';
import { metBlock } from '../../../support/sources/replay-ncei.ts';
import { type Replay, serve, withReplay } from '../../../support/sources/replay-server.ts';

const TODAY = dayOf(Date.now() / 1000);
const THIS_YEAR = TODAY.slice(0, 4);

/** A row of a year file: `YYYY-MM-DDTHH:MM:SS` and the text of its remarks; most rows have none. */
type GhcnhRow = { readonly id: string; readonly date: string; readonly remarks?: string };

/** Some of the 329 columns of GHCNh. */
const COLUMNS = 'STATION|Station_name|DATE|Year|Month|Day|Hour|Minute|LATITUDE|LONGITUDE|temperature|remarks';

const ROOT = '/oa/global-historical-climatology-network/hourly';

describe('load from GHCNh', () => {
  const archive = useArchive();

  async function load(
    station: string,
    rows: readonly GhcnhRow[],
    range: string,
    inventory: readonly string[] = [],
  ) {
    // One id has the code in the column ICAO, under another network; the other has it in its number.
    const stations = [
      `XXMU0012345,40.1,-73.2,4.0,,A TOWN,,,,${station},DE`,
      `GMI0000${station},40.1,-73.2,4.0,,A TOWN,,,,,`,
      'GMM00012345,40.1,-73.2,-999.9,,ANOTHER TOWN,,,12345,,DE',
    ];
    const line = `--source ghcnh --stations ${station} ${range}`;
    return withReplay(replayGhcnh(stations, inventory, rows), async ({ url, requests }) => ({
      ...(await loadWith(archive.client, ghcnh(url), line)),
      requests: requests.map((path) => path.slice(path.lastIndexOf('/') + 1)),
    }));
  }

  it('requests the file of each id and year, once done no more, and keeps METAR and SPECI of its remarks', async () => {
    const rows: readonly GhcnhRow[] = [
      { id: 'XXMU0012345', date: '2015-01-01T00:51:00' },
      {
        id: 'XXMU0012345',
        date: '2015-01-01T01:51:00',
        remarks: metBlock('12/31/14 20:51:03 METAR XAAA 010151Z 18004KT 9999 10/05 Q1020 (DF)'),
      },
      { id: 'GMI0000XAAA', date: '2015-01-01T02:07:00', remarks: 'SPECI XAAA 010207Z 18004KT 0300 FG 05/05' },
      { id: 'GMI0000XAAA', date: '2015-01-01T02:51:00', remarks: 'METAR XAAB 010251Z 18004KT CAVOK 05/05' },
    ];
    const range = '--from 2015-01-01 --to 2017-01-01';
    const inventory = [
      'XXMU0012345 2015 3 0 0 0 0 0 0 0 0 0 0 0',
      'GMI0000XAAA 2016 0 0 0 0 2 0 0 0 0 0 0 0',
    ];
    const { requests, tally, daysLeft } = await load('XAAA', rows, range, inventory);
    assert.deepEqual(requests.slice(0, 2), ['ghcnh-station-list.csv', 'ghcnh-inventory.txt']);
    assert.deepEqual([...new Set(requests.slice(2))].sort(), [
      'GHCNh_GMI0000XAAA_2015.psv',
      'GHCNh_GMI0000XAAA_2016.psv',
      'GHCNh_XXMU0012345_2015.psv',
      'GHCNh_XXMU0012345_2016.psv',
    ]);
    const reports = await readAllReports(archive.client, 'XAAA');
    assert.deepEqual(
      reports.map(({ type, raw, source }) => `${source} ${type} ${raw}`),
      [
        'ghcnh METAR METAR XAAA 010151Z 18004KT 9999 10/05 Q1020',
        'ghcnh SPECI SPECI XAAA 010207Z 18004KT 0300 FG 05/05',
      ],
    );
    assert.deepEqual([tally.skipped, daysLeft], [{ 'no text': 1, 'wrong station': 1 }, 0]);
    const [listing] = await readListings(archive.client, { stations: ['XAAA'] });
    assert.deepEqual([listing?.firstDay, listing?.lastDay], ['2015-01-01', '2016-05-31']);
    const [known] = await readKnownStations(archive.client, { stations: ['XAAA'] }, undefined, 1);
    assert.deepEqual([known?.name, known?.country, known?.elevation_m], ['A TOWN', 'DE', 4]);
    assert.deepEqual((await load('XAAA', rows, range, inventory)).requests, []);
  });

  it('leaves days from the last row on open while the file of the year grows', async () => {
    const from = addDays(TODAY, -20);
    // A whole year ago every file is finished.
    const id = 'GMI0000XAAC';
    const at = (days: number) => `${addDays(from, days)}T00:51:00`;
    const rows = [0, 1, 2, 3].map((days) => ({
      id,
      date: at(days),
      remarks: `METAR XAAC ${at(days).slice(8, 10)}0051Z 18004KT 9999 10/05 Q1020`,
    }));
    const { daysLeft } = await load('XAAC', rows, `--from ${from} --to ${addDays(from, 10)}`);
    // Three of ten days are before that of the last row.
    assert.equal(daysLeft, THIS_YEAR === from.slice(0, 4) ? 7 : daysLeft);
    assert.equal((await load('XAAD', [], `--from ${from} --to ${addDays(from, 10)}`)).daysLeft, 10);
    const old = addDays(TODAY, -80);
    assert.equal((await load('XAAE', [], `--from ${old} --to ${addDays(old, 2)}`)).daysLeft, 0);
  });
});

/**
 * Serves GHCNh as NCEI does: the list of stations, the inventory and a file for each id and year that has rows; 404 for any
 * other path.
 *
 * @param stations rows of `GHCN_ID,LATITUDE,LONGITUDE,ELEVATION,STATE,NAME,GSN,(US)HCN_(US)CRN,WMO_ID,ICAO,ISO_CODE`
 * @param inventory rows of `GHCNh_ID YEAR JAN … DEC`
 */
function replayGhcnh(
  stations: readonly string[],
  inventory: readonly string[],
  rows: readonly GhcnhRow[],
): Promise<Replay> {
  return serve([], ({ url, response }) => {
    const path = url.pathname.replace(`${ROOT}/`, '');
    const send = (...lines: readonly string[]) => response.end(`${lines.join('\n')}\n`);
    if (path === 'doc/ghcnh-station-list.csv')
      return void send(
        'GHCN_ID,LATITUDE,LONGITUDE,ELEVATION,STATE,NAME,GSN,(US)HCN_(US)CRN,WMO_ID,ICAO,ISO_CODE',
        ...stations,
      );
    if (path === 'doc/ghcnh-inventory.txt')
      return void send('GHCNh_ID YEAR JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC', ...inventory);
    const [, year, id] = /^access\/by-year\/(\d{4})\/psv\/GHCNh_(\S{11})_\1\.psv$/.exec(path) ?? [];
    const found = rows.filter((row) => row.id === id && row.date.startsWith(`${year}-`));
    if (found.length === 0) return void response.writeHead(404).end('Not Found');
    send(COLUMNS, ...found.map(lineOf));
  });
}

function lineOf({ id, date, remarks = '' }: GhcnhRow): string {
  const parts = date.slice(0, 16).split(/[-T:]/);
  return [id, 'SOMEWHERE', date, ...parts, '40.1', '-73.2', '1.0', remarks].join('|');
}
