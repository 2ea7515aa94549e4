import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Day } from '../../../clickhouse/day.ts';
import { inOrder, type Preference } from '../../../loader/order.ts';

const SLICES = ['XAAA', 'XAAB', 'XAAC'].flatMap((station) =>
  ['2022', '2023'].map((year) => ({
    source: 'iem' as const,
    station,
    firstDay: `${year}-01-01` as Day,
    endDay: `${Number(year) + 1}-01-01` as Day,
  })),
);
const names = (preference: Preference) =>
  inOrder(SLICES, preference).map(({ station, firstDay }) => `${station} ${firstDay.slice(0, 4)}`);

describe('the order of slices', () => {
  it('is as planned, station by station, where none is wanted', () => {
    assert.deepEqual(inOrder(SLICES, { order: undefined, priority: [] }), SLICES);
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
});
