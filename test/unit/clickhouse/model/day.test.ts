import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  addDays,
  addDaysOfYear,
  clip,
  countCommon,
  countDays,
  type Day,
  type DayRun,
  type DaySet,
  dayOf,
  dayRangesOf,
  daySetOf,
  dayStart,
  daysBetween,
  firstProvisionalDay,
  intersect,
  parseDay,
  parseTime,
  splitByDay,
  splitByYear,
  subtract,
  unionOf,
  yearDays,
} from '../../../../clickhouse/model/day.ts';
import { clampToArchive } from '../../../../clickhouse/model/time-window.ts';

const day = (text: string) => text as Day;

describe('UTC day', () => {
  it('is parsed only when it exists in the calendar', () => {
    assert.equal(parseDay('2024-02-29'), '2024-02-29');
    for (const text of ['2023-02-29', '2024-13-01', '2024-1-1', '20240101', '2024-01-01T00:00:00Z', ''])
      assert.equal(parseDay(text), undefined, text);
  });
  it('is part of a time only when it exists', () => {
    assert.equal(parseTime('2024-02-29T00:01:00Z'), Date.UTC(2024, 1, 29, 0, 1) / 1000);
    for (const text of ['2024-02-30T00:00:00Z', '2024-02-29T25:00:00Z', ''])
      assert.ok(Number.isNaN(parseTime(text)), text);
  });
  it('is counted over months, leap days and years', () => {
    assert.equal(addDays(day('2023-12-31'), 1), '2024-01-01');
    assert.equal(addDays(day('2024-03-01'), -1), '2024-02-29');
    assert.equal(daysBetween(day('2024-01-01'), day('2025-01-01')), 366);
  });
  it('starts at midnight UTC', () => {
    assert.equal(dayStart(day('1970-01-02')), 86_400);
    assert.equal(dayOf(86_399), '1970-01-01');
  });
  it('is provisional until 72 hours after its end (D13)', () => {
    assert.equal(firstProvisionalDay(new Date('2026-11-20T00:00:00Z')), '2026-11-17');
    assert.equal(firstProvisionalDay(new Date('2026-11-19T23:59:59Z')), '2026-11-16');
  });
});

const range = (firstDay: string, endDay: string) => ({ firstDay: day(firstDay), endDay: day(endDay) });
const JANUARY = range('2024-01-01', '2024-02-01');

describe('day ranges', () => {
  it('clips at a first day and an end; nothing is left of a range outside', () => {
    assert.deepEqual(clip(JANUARY, { endDay: day('2024-01-10') }), range('2024-01-01', '2024-01-10'));
    assert.deepEqual(clip(JANUARY, { firstDay: day('2024-01-10') }), range('2024-01-10', '2024-02-01'));
    assert.deepEqual(clip(JANUARY, { firstDay: day('2023-01-10'), endDay: day('2024-03-01') }), JANUARY);
    assert.deepEqual(clip(JANUARY, { endDay: day('2023-12-31') }), range('2024-01-01', '2024-01-01'));
    assert.deepEqual(clip(JANUARY, { firstDay: day('2024-03-01') }), range('2024-03-01', '2024-03-01'));
  });

  it('splits at every 1 January', () => {
    assert.deepEqual(splitByYear(range('2022-12-31', '2024-01-02')), [
      range('2022-12-31', '2023-01-01'),
      range('2023-01-01', '2024-01-01'),
      range('2024-01-01', '2024-01-02'),
    ]);
  });

  it('splits into days, 29 February included', () => {
    assert.deepEqual(splitByDay(range('2024-02-28', '2024-03-01')), [
      range('2024-02-28', '2024-02-29'),
      range('2024-02-29', '2024-03-01'),
    ]);
  });
});

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
        assert.equal(countCommon(one, other), countDays(intersect(one, other)));
      }),
      { numRuns: 5000, seed: 20 },
    );
  });

  it('is read from the bits of a year', () => {
    const property = fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 366 })), (days) => {
      const bits = new Uint8Array(46);
      for (const number of days) bits[number >> 3] = (bits[number >> 3] ?? 0) | (1 << (number & 7));
      const runs: DayRun[] = [];
      addDaysOfYear(runs, 1972, String.fromCharCode(...bits));
      assert.deepEqual(runs, unionOf(days.map((number) => ({ first: 729 + number, end: 730 + number }))));
    });
    fc.assert(property);
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
    for (const days of [range('2024-02-28', '2024-03-01'), range('1969-12-30', '1970-01-02')])
      assert.deepEqual(dayRangesOf(daySetOf(days)), [days]);
    assert.deepEqual(dayRangesOf(yearDays(2024)), [{ firstDay: '2024-01-01', endDay: '2025-01-01' }]);
    assert.equal(countDays(yearDays(2024)), 366);
    assert.deepEqual(daySetOf(range('2024-01-02', '2024-01-02')), []);
  });
});

const clamp = (from: string, to: string) =>
  clampToArchive({ from: Date.parse(from) / 1000, to: Date.parse(to) / 1000 });

describe('time window of a range', () => {
  it('begins in 2005', () =>
    assert.equal(clamp('0001-01-01', '2010-01-01')?.from, Date.UTC(2005, 0, 1) / 1000));
  it('is empty before 2005 and after the end of DateTime', () => {
    assert.equal(clamp('1990-01-01', '2005-01-01'), undefined);
    assert.equal(clamp('2200-01-01', '2300-01-01'), undefined);
  });
});
