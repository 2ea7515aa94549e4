import assert from 'node:assert/strict';
import { type DaySet, dayOfNumber, subtract, unionOf } from '../../../../clickhouse/model/day.ts';
import { lowCountDays, silentRuns } from '../../../../loader/checks/unusual-days.ts';

const FIRST = Date.UTC(2024, 0, 1) / 86_400_000; // A Monday.
const days = Array.from({ length: 60 }, (_, n) => FIRST + n);

describe('low-count days', () => {
  const lowOf = (count: (day: number) => number, among = days) =>
    lowCountDays(among, new Map(days.map((day, n) => [day, count(n)]))).map(
      ({ day, reports, usual }) => `${dayOfNumber(day)} ${reports} of ${usual}`,
    );
  const EXAMPLES: Readonly<
    Record<string, readonly [count: (day: number) => number, low: readonly string[]]>
  > = {
    'have fewer than half the median of the days around': [
      (n) => (n === 30 ? 11 : 24),
      ['2024-01-31 11 of 24'],
    ],
    'do not have half of it': [(n) => (n === 30 ? 12 : 24), []],
    'include days without reports, and several in a row': [
      (n) => (n >= 30 && n < 33 ? 0 : 24),
      ['2024-01-31 0 of 24', '2024-02-01 0 of 24', '2024-02-02 0 of 24'],
    ],
    'exclude the weekends of a station that closes at weekends': [(n) => (n % 7 >= 5 ? 0 : 12), []],
    'exclude stations with fewer than eight reports a day': [(n) => (n === 30 ? 1 : 7), []],
    'exclude the edge of a silence of weeks': [(n) => (n < 30 ? 0 : 24), []],
  };
  for (const [name, [count, low]] of Object.entries(EXAMPLES))
    it(name, () => assert.deepEqual(lowOf(count), low));

  it('are searched only among the given days', () =>
    assert.deepEqual(
      lowOf((n) => (n === 30 ? 0 : 24), days.slice(0, 20)),
      [],
    ));
});

describe('silent days', () => {
  const done = [{ first: 100, end: 300 }];
  const silentRunsOf = (reporting: DaySet) =>
    silentRuns(done, reporting).map(({ first, end }) => [first, end]);
  /** The station reports on all days but these. */
  const silent = (...empty: readonly (readonly [number, number])[]) =>
    silentRunsOf(subtract(done, unionOf(empty.map(([first, end]) => ({ first, end })))));
  const weekends = Array.from({ length: 28 }, (_, week) => [104 + 7 * week, 106 + 7 * week] as const);

  it('are runs of any length between days with reports (D57)', () => {
    assert.deepEqual(silent([150, 151]), [[150, 151]]);
    assert.deepEqual(silent([150, 250]), [[150, 250]]);
    assert.deepEqual(silent([130, 131], [150, 155]), [
      [130, 131],
      [150, 155],
    ]);
  });

  it('are runs of more than a week before the first report and after the last (D71)', () => {
    assert.deepEqual(silent([100, 150]), [[100, 150]]);
    assert.deepEqual(silent([250, 300]), [[250, 300]]);
    assert.deepEqual(silent([100, 199], [200, 300]), [
      [100, 199],
      [200, 300],
    ]);
    assert.deepEqual(silent([100, 107], [293, 300]), []);
  });

  it('are not the weekends of a station that closes then, but longer silences of it are', () => {
    assert.deepEqual(silent(...weekends), []);
    // Holidays before a weekend.
    assert.deepEqual(silent(...weekends, [151, 155]), []);
    assert.deepEqual(silent(...weekends, [146, 162]), [[146, 162]]);
    assert.deepEqual(silent(...weekends, [250, 300]), [[250, 300]]);
  });

  it('are longer than usual for a station that seldom reports', () => {
    // On every tenth day.
    const some = Array.from({ length: 20 }, (_, n) => ({ first: 100 + 10 * n, end: 101 + 10 * n }));
    assert.deepEqual(silentRunsOf(some), []);
    assert.deepEqual(silentRunsOf(some.slice(4, 17)), [
      [100, 140],
      [261, 300],
    ]);
    assert.deepEqual(silentRunsOf(some.filter((_, n) => n !== 10)), []);
  });

  it('are whole years that a source has left out, however many', () => {
    const years = [{ first: 0, end: 10 * 365 }];
    const everySecond = Array.from({ length: 5 }, (_, n) => ({ first: n * 730, end: n * 730 + 365 }));
    assert.deepEqual(
      silentRuns(years, everySecond).map(({ first }) => first),
      [365, 1095, 1825, 2555, 3285],
    );
  });

  it('are none of a station without any report', () => assert.deepEqual(silentRunsOf([]), []));
});
