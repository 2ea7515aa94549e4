import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Day } from '../../../../clickhouse/model/day.ts';
import type { Preference } from '../../../../loader/args/command.ts';
import { planChunks } from '../../../../loader/plan/schedule.ts';
import { splitIntoSlices } from '../../../../loader/plan/slices.ts';

const STATIONS = ['XAAA', 'XAAB', 'XAAC'];
const RANGE = { firstDay: '2022-01-01' as Day, endDay: '2024-01-01' as Day };
const NO_PREFERENCE: Preference = { order: undefined, priority: [] };
const stationYears = (preference: Preference) =>
  [...planChunks(STATIONS, RANGE, preference)].flatMap(({ stations, range }) =>
    splitIntoSlices({ source: 'iem' }, new Map(stations.map((station) => [station, [range]]))).map(
      ({ station, firstDay }) => `${station} ${firstDay.slice(0, 4)}`,
    ),
  );

describe('order of a plan', () => {
  it('is station by station without a preference', () => {
    assert.deepEqual(
      stationYears(NO_PREFERENCE),
      STATIONS.flatMap((station) => [`${station} 2022`, `${station} 2023`]),
    );
  });

  it('is the newest or the oldest year of all stations first', () => {
    const newest = ['XAAA 2023', 'XAAB 2023', 'XAAC 2023', 'XAAA 2022', 'XAAB 2022', 'XAAC 2022'];
    assert.deepEqual(stationYears({ order: 'newest', priority: [] }), newest);
    assert.deepEqual(stationYears({ order: 'oldest', priority: [] }), [
      ...newest.slice(3),
      ...newest.slice(0, 3),
    ]);
  });

  it('puts the stations of the priority file before all others', () => {
    assert.deepEqual(stationYears({ order: 'newest', priority: ['XAAC', 'XZZZ'] }), [
      'XAAC 2023',
      'XAAC 2022',
      'XAAA 2023',
      'XAAB 2023',
      'XAAA 2022',
      'XAAB 2022',
    ]);
  });

  it('is year by year for all stations', () => {
    assert.deepEqual(
      [...planChunks(['*'], RANGE, NO_PREFERENCE)].map(({ range }) => range.firstDay),
      ['2022-01-01', '2023-01-01'],
    );
  });

  it('has chunks of at most 200 stations', () => {
    const stations = Array.from({ length: 1001 }, (_, at) => `X${at}`);
    const chunks = [...planChunks(stations, RANGE, NO_PREFERENCE)];
    assert.deepEqual(
      chunks.map((chunk) => chunk.stations.length),
      [200, 200, 200, 200, 200, 1],
    );
    assert.deepEqual(
      chunks.flatMap((chunk) => chunk.stations),
      stations,
    );
  });
});
