import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type ChangedStations, coverageChangesReader } from '../../../../clickhouse/coverage/changes.ts';
import { recordSlice } from '../../../../clickhouse/coverage/ledger.ts';
import { listStations } from '../../../../clickhouse/coverage/station-listings.ts';
import type { Day } from '../../../../clickhouse/model/day.ts';
import { POINT_READ } from '../../../../clickhouse/query-settings.ts';
import { emptyArchive, NO_LIMIT } from '../../../support/archive.ts';

describe('what loaders have told the coverage view since the last look', () => {
  let archive: Awaited<ReturnType<typeof emptyArchive>>;
  let look: () => Promise<ChangedStations>;

  beforeEach(async () => {
    archive = await emptyArchive();
    const read = coverageChangesReader(archive.client);
    look = () => read(NO_LIMIT);
    // A merge when a test says so, and at no other time.
    for (const table of ['coverage', 'stations']) await command(`SYSTEM STOP MERGES ${table}`);
    await told('XAAA');
    await list('XAAA');
    await look();
  });
  afterEach(() => archive.close());

  const command = (query: string) => archive.client.command({ query });
  const told = (station: string) =>
    recordSlice(
      archive.client,
      {
        source: 'iem',
        station,
        firstDay: '2023-01-01' as Day,
        doneDay: '2024-01-01' as Day,
        endDay: '2024-01-01' as Day,
        reports: 1,
        inserted: 1,
        skipped: {},
      },
      NO_LIMIT,
    );
  const list = (station: string) => listStations(archive.client, [{ source: 'iem', station }], NO_LIMIT);
  const merge = async (table: string) => {
    await command(`SYSTEM START MERGES ${table}`);
    await command(`OPTIMIZE TABLE ${table} FINAL`);
  };
  const set = (...stations: string[]) => new Set(stations);

  it('cannot be said at the first look', async () => {
    assert.equal(await coverageChangesReader(archive.client)(NO_LIMIT), 'all');
  });

  it('is nothing when nothing came, or what was there has been merged', async () => {
    await told('XAAB');
    await look();
    assert.deepEqual(await look(), set());
    await merge('coverage');
    await merge('stations');
    assert.deepEqual(await look(), set());
  });

  it('names the stations of slices and of listings, and all stations as *', async () => {
    await told('XAAB');
    await list('XAAC');
    assert.deepEqual(await look(), set('XAAB', 'XAAC'));
    await told('*');
    assert.deepEqual(await look(), set('*'));
    assert.deepEqual(await look(), set());
  });

  it('names the stations of reports', async () => {
    await command(
      `INSERT INTO observations (observedAt, station, type, fingerprint, version, source, raw, clean, decoder)
       SELECT toDateTime('2024-01-01 00:00:00', 'UTC') + number * 3600, 'XAAD', 'METAR', number, 1, 'demo', 'REPORT', 1, 1
       FROM numbers(10)`,
    );
    assert.deepEqual(await look(), set('XAAD'));
  });

  it('is not missed when it was merged into what was there before the look', async () => {
    await told('XAAB');
    await merge('coverage');
    assert.deepEqual(await look(), set('XAAA', 'XAAB'));
    await told('XAAC');
    assert.deepEqual(await look(), set('XAAC'));
  });

  it('cannot be said when rows have been taken out', async () => {
    await told('XAAB');
    await look();
    await command('SYSTEM START MERGES coverage');
    await archive.client.command({
      query: "ALTER TABLE coverage DELETE WHERE station = 'XAAB'",
      clickhouse_settings: { mutations_sync: '2' },
    });
    assert.equal(await look(), 'all');
    assert.deepEqual(await look(), set());
    await told('XAAB');
    assert.deepEqual(await look(), set('XAAB'));
    await command('TRUNCATE TABLE coverage');
    assert.equal(await look(), 'all');
  });

  it('is told from what is kept of each part, without reading a row', async () => {
    const query = readFileSync(
      new URL('../../../../clickhouse/queries/coverage_parts.sql', import.meta.url),
      'utf8',
    );
    const answer = await archive.client.query({
      query: `EXPLAIN ${query}`,
      format: 'TabSeparatedRaw',
      clickhouse_settings: POINT_READ,
    });
    const plan = await answer.text();
    assert.equal(plan.match(/_minmax_count_projection/g)?.length, 2, plan);
  });
});
