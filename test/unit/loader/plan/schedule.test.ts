import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Day } from '../../../../clickhouse/model/day.ts';
import { type Preference, planChunks } from '../../../../loader/plan/schedule.ts';
import { planSlices } from '../../../../loader/plan/slices.ts';

const STATIONS = ['XAAA', 'XAAB', 'XAAC'];
const RANGE = { firstDay: '2022-01-01' as Day, endDay: '2024-01-01' as Day };
const names = (preference: Preference) =>
  [...planChunks(STATIONS, RANGE, preference)].flatMap(({ stations, range }) =>
    planSlices('iem', new Map(stations.map((station) => [station, [range]]))).map(
      ({ station, firstDay }) => `${station} ${firstDay.slice(0, 4)}`,
    ),
  );

describe('the order of slices', () => {
  it('is as planned, station by station, where none is wanted', () => {
    assert.deepEqual(
      names({ order: undefined, priority: [] }),
      STATIONS.flatMap((station) => [`${station} 2022`, `${station} 2023`]),
    );
  });

  it('is the newest or the oldest year of all stations first', () => {
    const newest = ['XAAA 2023', 'XAAB 2023', 'XAAC 2023', 'XAAA 2022', 'XAAB 2022', 'XAAC 2022'];
    assert.deepEqual(names({ order: 'newest', priority: [] }), newest);
    assert.deepEqual(names({ order: 'oldest', priority: [] }), [...newest.slice(3), ...newest.slice(0, 3)]);
  });

  it('puts the stations of the priority file before all others', () => {
    assert.deepEqual(names({ order: 'newest', priority: ['XAAC', 'XZZZ'] }), [
      'XAAC 2023',
      'XAAC 2022',
      'XAAA 2023',
      'XAAB 2023',
      'XAAA 2022',
      'XAAB 2022',
    ]);
  });

  it('goes a few hundred stations at a time, so that a plan of any size fits into memory', () => {
    const stations = Array.from({ length: 1001 }, (_, at) => `X${at}`);
    const turns = [...planChunks(stations, RANGE, { order: undefined, priority: [] })];
    assert.deepEqual(
      turns.map((turn) => turn.stations.length),
      [200, 200, 200, 200, 200, 1],
    );
    assert.deepEqual(
      turns.flatMap((turn) => turn.stations),
      stations,
    );
  });
});
