import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { deleteSource } from '../../../../clickhouse/observations/maintenance.ts';
import {
  type PlaceInList,
  readKnownStations,
  type StationFilters,
} from '../../../../clickhouse/stations/known-stations.ts';
import {
  recordOutdatedDescriptions,
  type StationDescription,
} from '../../../../clickhouse/stations/station-descriptions.ts';
import { insert, NO_LIMIT, put, report } from '../../../support/archive/archive.ts';
import { describeStations } from '../../../support/archive/descriptions.ts';
import { list, recordDone } from '../../../support/archive/ledger.ts';
import { useArchive } from '../../../support/archive/use-archive.ts';

const DESCRIPTIONS: readonly StationDescription[] = [
  { source: 'ncei', station: 'XAAA', name: 'NORTH', country: 'NO', elevation_m: 12 },
  {
    source: 'iem',
    station: 'XAAA',
    name: 'Northern Bay',
    position: { latitude: 70.5, longitude: 25 },
    timezone: 'Europe/Oslo',
  },
  { source: 'awc', station: 'XAAA', country: 'SJ', position: { latitude: 1, longitude: 1 }, elevation_m: 14 },
  { source: 'iem', station: 'XAAA', elevation_m: -2 },
  {
    source: 'iem',
    station: 'XAAB',
    name: 'Fiji West',
    country: 'FJ',
    position: { latitude: -17, longitude: 177 },
  },
  {
    source: 'iem',
    station: 'XAAC',
    name: 'Fiji Éast',
    country: 'FJ',
    position: { latitude: -17, longitude: -179 },
  },
];

const RANKS = { rank: 2, elevationRank: 4 } as const;

describe('known stations', () => {
  const archive = useArchive();
  before(async () => {
    const { client } = archive;
    // Each insert is a part of its own: the newest row of a station and source counts, merged or not.
    await describeStations(client, DESCRIPTIONS.slice(3, 4));
    await describeStations(
      client,
      DESCRIPTIONS.filter((_, n) => n !== 3),
    );
    await list(client, { station: 'XAAD' });
    await recordDone(client, '2024-01-01', '2024-01-02', { station: 'XAAE' });
    await recordDone(client, '2024-01-01', '2024-01-02', { station: '*' });
    await insert(client, put(report({ station: 'XAAF', at: '2024-01-01T00:00:00Z' })));
  });

  const codes = async (filters: StationFilters, after?: PlaceInList, rows = 100) =>
    (await readKnownStations(archive.client, filters, after, rows, NO_LIMIT)).map(({ station }) => station);

  it('are those of descriptions, listings, the ledger and reports, in the order of their codes', async () => {
    assert.deepEqual(await codes({}), ['XAAA', 'XAAB', 'XAAC', 'XAAD', 'XAAE', 'XAAF']);
    assert.deepEqual(await codes({}, { station: 'XAAB' }, 3), ['XAAC', 'XAAD', 'XAAE']);
  });

  it('have each field from the first source that states it, and lack what no source states', async () => {
    const [first, , , fourth] = await readKnownStations(archive.client, {}, undefined, 4, NO_LIMIT);
    assert.deepEqual(first, {
      station: 'XAAA',
      name: 'Northern Bay',
      country: 'SJ',
      position: { latitude: 70.5, longitude: 25 },
      elevation_m: 14,
      timezone: 'Europe/Oslo',
    });
    assert.deepEqual(fourth, { station: 'XAAD' });
  });

  it('match every filter that is given', async () => {
    assert.deepEqual(await codes({ stations: ['XAAF', 'XAAA', 'XZZZ'] }), ['XAAA', 'XAAF']);
    assert.deepEqual(await codes({ country: 'FJ' }), ['XAAB', 'XAAC']);
    assert.deepEqual(await codes({ country: 'FJ', q: 'west' }), ['XAAB']);
    assert.deepEqual(await codes({ stations: ['XAAA', 'XAAB'], q: 'FIJI' }), ['XAAB']);
    assert.deepEqual(await codes({ country: 'NO' }), []);
  });

  it('match a part of the code or the name in upper and lower case', async () => {
    assert.deepEqual(await codes({ q: 'xaad' }), ['XAAD']);
    assert.deepEqual(await codes({ q: 'éAST' }), ['XAAC']);
    assert.deepEqual(await codes({ q: 'north' }), ['XAAA']);
    for (const q of ["'", '\\', '%', '_', '\0', '$conditions']) assert.deepEqual(await codes({ q }), [], q);
  });

  it('match a bounding box, edges included, also across the antimeridian', async () => {
    assert.deepEqual(await codes({ bbox: { west: 25, south: 60, east: 30, north: 70.5 } }), ['XAAA']);
    assert.deepEqual(await codes({ bbox: { west: 170, south: -20, east: -170, north: 0 } }), [
      'XAAB',
      'XAAC',
    ]);
    assert.deepEqual(await codes({ bbox: { west: 170, south: -20, east: 178, north: 0 } }), ['XAAB']);
    assert.deepEqual(await codes({ bbox: { west: -180, south: -90, east: 180, north: 90 } }), [
      'XAAA',
      'XAAB',
      'XAAC',
    ]);
  });

  it('keep a description of the last 30 days, and replace an older one', async () => {
    const { client } = archive;
    const renamed = (name: string): StationDescription[] => [{ source: 'iem', station: 'XAAG', name }];
    const nameOf = async () =>
      (await readKnownStations(client, { stations: ['XAAG'] }, undefined, 1, NO_LIMIT))[0]?.name;
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    await recordOutdatedDescriptions(client, 'iem', renamed('First'), new Date(), NO_LIMIT, RANKS);
    await recordOutdatedDescriptions(client, 'iem', renamed('Second'), inDays(29), NO_LIMIT, RANKS);
    assert.equal(await nameOf(), 'First');
    await recordOutdatedDescriptions(client, 'iem', renamed('Third'), inDays(31), NO_LIMIT, RANKS);
    assert.equal(await nameOf(), 'Third');
  });

  it('lose the descriptions of a source that is deleted', async () => {
    await deleteSource(archive.client, 'awc', NO_LIMIT);
    const [first] = await readKnownStations(archive.client, {}, undefined, 1, NO_LIMIT);
    assert.deepEqual([first?.country, first?.elevation_m], ['NO', 12]);
  });
});
