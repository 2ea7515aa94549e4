import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  countDays,
  type DaySet,
  dayRangesOf,
  daySetOf,
  intersect,
  subtract,
  unionOf,
  yearDays,
} from '../../../../clickhouse/model/day-set.ts';
import { day } from '../../../support/archive/ledger.ts';

const runs = fc.array(
  fc
    .record({ first: fc.nat(40), length: fc.nat(6) })
    .map(({ first, length }) => ({ first, end: first + length })),
  { maxLength: 8 },
);
const numbers = (days: DaySet) =>
  days.flatMap(({ first, end }) => Array.from({ length: end - first }, (_, n) => first + n));

describe('day set', () => {
  it('agrees with a set of numbers in union, intersection and difference', () => {
    fc.assert(
      fc.property(runs, runs, (a, b) => {
        const [one, other] = [unionOf(a), unionOf(b)];
        const [these, those] = [new Set(a.flatMap((run) => numbers([run]))), new Set(numbers(other))];
        const sorted = (some: Iterable<number>) => [...some].sort((x, y) => x - y);
        assert.deepEqual(numbers(one), sorted(these));
        assert.deepEqual(numbers(intersect(one, other)), sorted([...these].filter((n) => those.has(n))));
        assert.deepEqual(numbers(subtract(one, other)), sorted([...these].filter((n) => !those.has(n))));
        assert.equal(countDays(one), these.size);
      }),
      { numRuns: 5000, seed: 20 },
    );
  });

  it('has runs with at least one day between them, so that equal sets are equal values', () => {
    fc.assert(
      fc.property(runs, runs, (a, b) => {
        for (const set of [unionOf(a), intersect(unionOf(a), unionOf(b)), subtract(unionOf(a), unionOf(b))])
          assert.deepEqual(set, unionOf(numbers(set).map((n) => ({ first: n, end: n + 1 }))));
      }),
      { numRuns: 2000, seed: 20 },
    );
  });

  it('is unbounded where a run is', () => {
    const before = [{ first: Number.NEGATIVE_INFINITY, end: 10 }];
    assert.deepEqual(subtract([{ first: 5, end: 15 }], before), [{ first: 10, end: 15 }]);
    assert.deepEqual(intersect(before, [{ first: 3, end: Number.POSITIVE_INFINITY }]), [
      { first: 3, end: 10 },
    ]);
  });

  it('converts from and to ranges of days, over leap days and before 1970', () => {
    for (const range of [
      { firstDay: day('2024-02-28'), endDay: day('2024-03-01') },
      { firstDay: day('1969-12-30'), endDay: day('1970-01-02') },
    ])
      assert.deepEqual(dayRangesOf(daySetOf(range)), [range]);
    assert.deepEqual(dayRangesOf(yearDays(2024)), [{ firstDay: '2024-01-01', endDay: '2025-01-01' }]);
    assert.equal(countDays(yearDays(2024)), 366);
    assert.deepEqual(daySetOf({ firstDay: day('2024-01-02'), endDay: day('2024-01-02') }), []);
  });
});
