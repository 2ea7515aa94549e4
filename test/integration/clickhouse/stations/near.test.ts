import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import {
  type KnownStation,
  type PlaceInList,
  readKnownStations,
  type StationFilters,
} from '../../../../clickhouse/stations/known-stations.ts';
import type {
  Coordinates,
  StationDescription,
} from '../../../../clickhouse/stations/station-descriptions.ts';
import { NO_LIMIT } from '../../../support/archive/archive.ts';
import { describeStations } from '../../../support/archive/descriptions.ts';
import { list } from '../../../support/archive/ledger.ts';
import { useArchive } from '../../../support/archive/use-archive.ts';

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
    readKnownStations(archive.client, filters, after, rows, NO_LIMIT);

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
