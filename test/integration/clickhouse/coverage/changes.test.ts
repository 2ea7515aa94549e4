import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type ChangedStations, coverageChangesReader } from '../../../../clickhouse/coverage/changes.ts';
import { listStations } from '../../../../clickhouse/coverage/station-listings.ts';
import { POINT_READ } from '../../../../clickhouse/query-settings.ts';
import { emptyArchive, NO_LIMIT } from '../../../support/archive.ts';
import { recordDone } from '../../../support/ledger.ts';

describe('coverage changes since the last call', () => {
  let archive: Awaited<ReturnType<typeof emptyArchive>>;
  let readChanges: () => Promise<ChangedStations>;

  beforeEach(async () => {
    archive = await emptyArchive();
    const read = coverageChangesReader(archive.client);
    readChanges = () => read(NO_LIMIT);
    // Parts merge only when a test says so.
    for (const table of ['coverage', 'stations']) await command(`SYSTEM STOP MERGES ${table}`);
    await record('XAAA');
    await list('XAAA');
    await readChanges();
  });
  afterEach(() => archive.close());

  const command = (query: string) => archive.client.command({ query });
  const record = (station: string) => recordDone(archive.client, '2023-01-01', '2024-01-01', { station });
  const list = (station: string) => listStations(archive.client, [{ source: 'iem', station }], NO_LIMIT);
  const merge = async (table: string) => {
    await command(`SYSTEM START MERGES ${table}`);
    await command(`OPTIMIZE TABLE ${table} FINAL`);
  };
  const set = (...stations: string[]) => new Set(stations);

  it('are not known at the first call', async () => {
    assert.equal(await coverageChangesReader(archive.client)(NO_LIMIT), 'all');
  });

  it('are empty when nothing was written, and after a merge', async () => {
    await record('XAAB');
    await readChanges();
    assert.deepEqual(await readChanges(), set());
    await merge('coverage');
    await merge('stations');
    assert.deepEqual(await readChanges(), set());
  });

  it('name the stations of slices and listings, and * for slices of all stations', async () => {
    await record('XAAB');
    await list('XAAC');
    assert.deepEqual(await readChanges(), set('XAAB', 'XAAC'));
    await record('*');
    assert.deepEqual(await readChanges(), set('*'));
    assert.deepEqual(await readChanges(), set());
  });

  it('name the stations of inserted reports', async () => {
    await command(
      `INSERT INTO observations (observedAt, station, type, fingerprint, version, source, raw, clean, decoder)
       SELECT toDateTime('2024-01-01 00:00:00', 'UTC') + number * 3600, 'XAAD', 'METAR', number, 1, 'demo', 'REPORT', 1, 1
       FROM numbers(10)`,
    );
    assert.deepEqual(await readChanges(), set('XAAD'));
  });

  it('include rows that were merged into older parts before the call', async () => {
    await record('XAAB');
    await merge('coverage');
    assert.deepEqual(await readChanges(), set('XAAA', 'XAAB'));
    await record('XAAC');
    assert.deepEqual(await readChanges(), set('XAAC'));
  });

  it('are not known when rows have been deleted', async () => {
    await record('XAAB');
    await readChanges();
    await command('SYSTEM START MERGES coverage');
    await archive.client.command({
      query: "ALTER TABLE coverage DELETE WHERE station = 'XAAB'",
      clickhouse_settings: { mutations_sync: '2' },
    });
    assert.equal(await readChanges(), 'all');
    assert.deepEqual(await readChanges(), set());
    await record('XAAB');
    assert.deepEqual(await readChanges(), set('XAAB'));
    await command('TRUNCATE TABLE coverage');
    assert.equal(await readChanges(), 'all');
  });

  it('are read from the metadata of parts, without reading a row', async () => {
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
