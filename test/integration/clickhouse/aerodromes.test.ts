import assert from 'node:assert/strict';
import { closeSync, openSync } from 'node:fs';
import { storeAerodromes } from '../../../clickhouse/aerodromes/aerodromes.ts';
import { readSqliteTable } from '../../../clickhouse/aerodromes/sqlite-table.ts';
import { readArchiveSummary, readKnownStations } from '../../../clickhouse/stations.ts';
import { describeStations, insert, put, report, useArchive } from '../../support/archive/archive.ts';

describe('aerodromes', () => {
  const archive = useArchive();
  const settings = () => ({
    url: archive.url,
    database: archive.database,
    username: 'default',
    password: '',
  });
  const known = () => readKnownStations(archive.client, {}, undefined, 100);

  before(async () => {
    const { client } = archive;
    for (const station of ['EHAM', 'KJFK', 'XAAA'])
      await insert(client, put(report({ station, at: '2024-01-01T00:00:00Z' })));
    await describeStations(client, [
      { source: 'ncei', station: 'KJFK', name: 'JFK', position: { latitude: 40, longitude: -73 } },
    ]);
  });

  it('are stored once', async () => {
    assert.equal((await readArchiveSummary(archive.client)).hasAerodromes, false);
    const stored = await storeAerodromes(settings(), assert.fail);
    assert.ok(stored > 28_000, `${stored}`);
    assert.equal(await storeAerodromes(settings(), assert.fail), 0);
    assert.equal((await readArchiveSummary(archive.client)).hasAerodromes, true);
  });

  it('describe stations with reports where no source does, and are no stations of the archive themselves', async () => {
    const [schiphol, kennedy, other, ...more] = await known();
    assert.deepEqual([schiphol?.name, schiphol?.country], ['Amsterdam Airport Schiphol', 'NL']);
    assert.deepEqual(schiphol?.position, { latitude: 52.308601, longitude: 4.76389 });
    assert.equal(schiphol?.elevation_m, -3);
    assert.deepEqual([kennedy?.name, kennedy?.country], ['JFK', 'US']);
    assert.deepEqual(kennedy?.position, { latitude: 40, longitude: -73 });
    assert.deepEqual([other, more], [{ station: 'XAAA' }, []]);
    const near = { near: { latitude: 52, longitude: 5 }, radius_km: 100 };
    const found = await readKnownStations(archive.client, near, undefined, 100);
    assert.deepEqual(
      found.map(({ station }) => station),
      ['EHAM'],
    );
  });

  it('have a true heading and a length for each direction of a runway', async () => {
    const runways = (await known()).find(({ station }) => station === 'KJFK')?.runways ?? [];
    assert.equal(runways.length, 8);
    assert.deepEqual(runways[0], { ident: '04L', heading_deg: 31, length_m: 3682 });
  });
});

it('a file that is no SQLite file is refused', () => {
  const file = openSync(import.meta.filename, 'r');
  assert.throws(() => readSqliteTable(file, 'airports', [0], assert.fail), /not an SQLite file/);
  closeSync(file);
});
