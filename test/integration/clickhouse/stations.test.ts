import assert from 'node:assert/strict';
import { deleteSource } from '../../../clickhouse/observations/maintenance.ts';
import {
  type Coordinates,
  type KnownStation,
  type PlaceInList,
  readKnownStations,
  recordStationDescriptions,
  type StationDescription,
  type StationFilters,
} from '../../../clickhouse/stations.ts';
import { describeStations, insert, put, report, useArchive } from '../../support/archive/archive.ts';
import { list, recordDone } from '../../support/archive/ledger.ts';

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
    (await readKnownStations(archive.client, filters, after, rows)).map(({ station }) => station);

  it('are those of descriptions, listings, the ledger and reports, in the order of their codes', async () => {
    assert.deepEqual(await codes({}), ['XAAA', 'XAAB', 'XAAC', 'XAAD', 'XAAE', 'XAAF']);
    assert.deepEqual(await codes({}, { station: 'XAAB' }, 3), ['XAAC', 'XAAD', 'XAAE']);
  });

  it('have each field from the first source that states it, and lack what no source states', async () => {
    const [first, , , fourth] = await readKnownStations(archive.client, {}, undefined, 4);
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

  it('have the newest description of a source', async () => {
    const { client } = archive;
    for (const name of ['First', 'Second'])
      await recordStationDescriptions(client, [{ source: 'iem', station: 'XAAG', name }], RANKS);
    const [found] = await readKnownStations(client, { stations: ['XAAG'] }, undefined, 1);
    assert.equal(found?.name, 'Second');
  });

  it('lose the descriptions of a source that is deleted', async () => {
    await deleteSource(archive.client, 'awc');
    const [first] = await readKnownStations(archive.client, {}, undefined, 1);
    assert.deepEqual([first?.country, first?.elevation_m], ['NO', 12]);
  });
});

/** Spread evenly over the sphere along a spiral; then the poles, both sides of the date line, and four at one position. */
const POSITIONS: readonly Coordinates[] = [
  ...Array.from({ length: 3000 }, (_, n) => ({
    latitude: round((Math.asin((2 * n + 1) / 3000 - 1) * 180) / Math.PI),
    longitude: round(((n * 137.50776) % 360) - 180),
  })),
  { latitude: 90, longitude: 0 },
  { latitude: 90, longitude: 135 },
  { latitude: 89.5, longitude: -170 },
  { latitude: -90, longitude: -60 },
  { latitude: -17.75, longitude: 179.99 },
  { latitude: -17.75, longitude: -179.99 },
  { latitude: 0, longitude: 180 },
  { latitude: 0, longitude: -180 },
  ...Array(4).fill({ latitude: 50.0264, longitude: 8.5431 }),
  { latitude: 50.4998, longitude: 8.5431 },
];

const CODES = POSITIONS.map((_, n) => `X${n.toString(36).toUpperCase().padStart(3, '0')}`);

const POINTS: readonly Coordinates[] = [
  { latitude: 50.0264, longitude: 8.5431 },
  { latitude: 90, longitude: 0 },
  { latitude: 90, longitude: 77 },
  { latitude: -90, longitude: 180 },
  { latitude: -17.75, longitude: 180 },
  { latitude: -17.75, longitude: -180 },
  { latitude: 0, longitude: -179.999 },
  { latitude: 66.5, longitude: 179.5 },
  { latitude: 0, longitude: 0 },
];

function round(degrees: number): number {
  return Math.round(degrees * 10_000) / 10_000;
}

/** By the angle between two vectors: another formula than that of the service. */
function distanceKm(one: Coordinates, other: Coordinates): number {
  const toVector = ({ latitude, longitude }: Coordinates) => {
    const [north, east] = [latitude, longitude].map((degrees) => (degrees * Math.PI) / 180) as [
      number,
      number,
    ];
    return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)] as const;
  };
  const [[a, b, c], [d, e, f]] = [toVector(one), toVector(other)];
  const cross = Math.hypot(b * f - c * e, c * d - a * f, a * e - b * d);
  return 6371 * Math.atan2(cross, a * d + b * e + c * f);
}

describe('stations near a point (D48)', () => {
  const archive = useArchive();
  before(async () => {
    const descriptions = POSITIONS.map(
      (position, n): StationDescription => ({
        source: 'iem',
        station: CODES[n] ?? '',
        name: n % 2 === 0 ? 'Even' : 'Odd',
        country: n % 3 === 0 ? 'DE' : 'NO',
        position,
      }),
    );
    await describeStations(archive.client, descriptions);
    await describeStations(archive.client, [{ source: 'iem', station: 'XXXX', name: 'Without a position' }]);
    await list(archive.client, { station: 'XYYY' });
  });

  const read = (filters: StationFilters, after?: PlaceInList, rows = 1000) =>
    readKnownStations(archive.client, filters, after, rows);

  for (const point of POINTS)
    it(`have the distances of a computation apart from it, within 1 to 1,000 km of ${point.latitude}, ${point.longitude}`, async () => {
      for (const radius_km of [1, 46.3, 1000]) {
        const found = await read({ near: point, radius_km });
        const expected = POSITIONS.flatMap((position, n) => {
          const distance = distanceKm(point, position);
          return distance <= radius_km ? [{ station: CODES[n] ?? '', distance }] : [];
        });
        assert.deepEqual(
          found.map(({ station }) => station).sort(),
          expected.map(({ station }) => station),
        );
        for (const { station, distance } of expected) {
          const { distance_km = Number.NaN } = found.find((each) => each.station === station) ?? {};
          assert.ok(
            Math.abs(distance_km - distance) <= 0.005 + 1e-9,
            `${station} ${distance_km} ${distance}`,
          );
        }
        assert.deepEqual(found.map(place), found.toSorted(byDistance).map(place));
      }
    });

  it('come once each, page by page, also where distances are equal', async () => {
    for (const [rows, point] of [POINTS[0], POINTS[1], POINTS[4]].entries()) {
      const near: StationFilters = { near: point ?? assert.fail(), radius_km: 500 };
      const walked: KnownStation[] = [];
      for (let page = await read(near, undefined, rows + 1); page.length > 0; )
        page = await read(near, walked[walked.push(...page) - 1], rows + 1);
      assert.ok(walked.length > 2 * (rows + 1));
      assert.deepEqual(walked, await read(near));
    }
  });

  it('match every other filter that is given', async () => {
    const near: StationFilters = { near: { latitude: 50.0264, longitude: 8.5431 }, radius_km: 1000 };
    const all = await read(near);
    assert.ok(all.length > 10);
    const codes = (stations: readonly KnownStation[]) => stations.map(({ station }) => station);
    const bbox = { west: 8, south: 50, east: 9, north: 50.1 };
    const some = codes(all).filter((_, n) => n % 4 === 1);
    assert.deepEqual(
      await read({ ...near, country: 'DE' }),
      all.filter(({ country }) => country === 'DE'),
    );
    assert.deepEqual(
      await read({ ...near, q: 'odd' }),
      all.filter(({ name }) => name === 'Odd'),
    );
    assert.deepEqual(codes(await read({ ...near, bbox })), codes(all.slice(0, 4)));
    assert.deepEqual(codes(await read({ ...near, stations: [...some, 'XXXX', 'XYYY'] })), some);
    assert.deepEqual(await read({ ...near, q: 'Without' }), []);
  });

  it('have no distance where no point is given', async () => {
    assert.ok((await read({})).every((station) => !('distance_km' in station)));
  });
});

function byDistance(one: KnownStation, other: KnownStation): number {
  return (one.distance_km ?? 0) - (other.distance_km ?? 0) || (one.station < other.station ? -1 : 1);
}

function place({ station, distance_km = Number.NaN }: KnownStation): PlaceInList {
  return { station, distance_km };
}
