import assert from 'node:assert/strict';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { ArchiveChanges, type ChangedStations } from '../../../../clickhouse/coverage/changes.ts';
import { recordListings } from '../../../../clickhouse/coverage/station-listings.ts';
import { recordHidden } from '../../../../clickhouse/observations/hidden-reports.ts';
import { insert, NO_LIMIT, put, report, retract, useArchive } from '../../../support/archive/archive.ts';
import { recordDone } from '../../../support/archive/ledger.ts';

const TABLES = ['coverage', 'stations', 'observations'];

describe('changes of the archive since the last call', () => {
  const archive = useArchive('each');
  let readChanges: () => Promise<ChangedStations>;

  beforeEach(async () => {
    const changes = new ArchiveChanges(archive.client);
    readChanges = () => changes.read(NO_LIMIT);
    // Parts merge only when a test says so.
    for (const table of TABLES) await command(`SYSTEM STOP MERGES ${table}`);
    await insert(archive.client, put(report({ at: '2023-06-01T00:00:00Z' })));
    await record('XAAA');
    await list('XAAA');
    await readChanges();
  });
  const command = (query: string) => archive.client.command({ query });
  const record = (station: string) => recordDone(archive.client, '2023-01-01', '2024-01-01', { station });
  const list = (station: string) => recordListings(archive.client, [{ source: 'iem', station }]);
  const merge = async (table: string) => {
    await command(`SYSTEM START MERGES ${table}`);
    await command(`OPTIMIZE TABLE ${table} FINAL`);
  };
  const set = (...stations: string[]) => new Set(stations);

  it('are not known at the first call', async () => {
    assert.equal(await new ArchiveChanges(archive.client).read(NO_LIMIT), 'all');
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
    await insert(
      archive.client,
      ...['2023-01-01T00:00:00Z', '2024-01-01T00:00:00Z'].map((at) => put(report({ at, station: 'XAAD' }))),
    );
    assert.deepEqual(await readChanges(), set('XAAD'));
    await merge('observations');
    await merge('coverage');
    assert.deepEqual(await readChanges(), set());
  });

  it('name the stations of reports that do not count for coverage: retracted ones and NIL', async () => {
    const at = '2024-01-01T00:00:00Z';
    await insert(archive.client, retract(report({ at, station: 'XAAE' }), 2));
    assert.deepEqual(await readChanges(), set('XAAE'));
    await insert(archive.client, put(report({ at, station: 'XAAF', decoded: { nil: true, cavok: false } })));
    assert.deepEqual(await readChanges(), set('XAAF'));
  });

  it('include rows that were merged into older parts before the call', async () => {
    await record('XAAB');
    await merge('coverage');
    assert.deepEqual(await readChanges(), set('XAAA', 'XAAB'));
    await insert(archive.client, put(report({ at: '2023-06-01T01:00:00Z', station: 'XAAD' })));
    await merge('observations');
    assert.deepEqual(await readChanges(), set('XAAA', 'XAAD'));
    await record('XAAC');
    assert.deepEqual(await readChanges(), set('XAAC'));
  });

  it('are not known when rows have been deleted', async () => {
    await record('XAAB');
    await readChanges();
    await command('SYSTEM START MERGES coverage');
    await archive.client.command({
      query: "ALTER TABLE coverage DELETE WHERE station = 'XAAB'",
      settings: { mutations_sync: '2' },
    });
    assert.equal(await readChanges(), 'all');
    assert.deepEqual(await readChanges(), set());
    await record('XAAB');
    assert.deepEqual(await readChanges(), set('XAAB'));
    await command('SYSTEM START MERGES observations');
    await archive.client.command({
      query: "ALTER TABLE observations DELETE WHERE source = 'iem'",
      settings: { mutations_sync: '2' },
    });
    assert.equal(await readChanges(), 'all');
    await command('TRUNCATE TABLE coverage');
    assert.equal(await readChanges(), 'all');
  });

  it('are not known after a move to another server, also where the first call there fails', async () => {
    await recordHidden(archive.client, [report({ at: '2023-06-01T00:00:00Z' })], {
      isHidden: true,
      reason: 'test',
    });
    let [moves, fails] = [0, false];
    const select: Archive['select'] = (asked, signal) =>
      fails && asked.query.includes('FROM hidden_reports')
        ? Promise.reject(new Error('no answer'))
        : archive.client.select(asked, signal);
    const changes = new ArchiveChanges({ ...archive.client, select, countServerChanges: () => moves });
    await changes.read(NO_LIMIT);
    [moves, fails] = [1, true];
    await assert.rejects(changes.read(NO_LIMIT), /no answer/);
    fails = false;
    assert.equal(await changes.read(NO_LIMIT), 'all');
    assert.deepEqual(await changes.read(NO_LIMIT), set());
  });

  it('are read from the parts that each table itself has', async () => {
    await record('XAAB');
    await insert(archive.client, put(report({ at: '2024-06-01T01:00:00Z', station: 'XAAD' })));
    await merge('observations');
    const own = ['coverage', 'stations', 'observations', 'station_observations', 'hidden_reports']
      .map((table) => {
        const [first, end] = table.includes('observations')
          ? ['toUnixTimestamp(min(observedAt))', 'toUnixTimestamp(max(observedAt)) + 1']
          : ['0', '1'];
        return `SELECT '${table}' AS table, concat('0-', _part) AS name, count(), ${first}, ${end} FROM ${table} GROUP BY _part`;
      })
      .join(' UNION ALL ');
    const rowsOf = async (query: string) =>
      (await archive.client.select({ query: `SELECT * FROM (${query}) ORDER BY ALL FORMAT TSV` })).toString();
    const parts = await rowsOf('SELECT * FROM served_parts');
    assert.equal(parts, await rowsOf(own));
    assert.match(parts, /^station_observations\t0-/m);
  });
});
