import assert from 'node:assert/strict';
import { addDays, type Day } from '../../../../clickhouse/model/day.ts';
import { lowCountDays } from '../../../../loader/checks/done-days.ts';

const FIRST = '2024-01-01' as Day; // A Monday.
const days = Array.from({ length: 60 }, (_, n) => addDays(FIRST, n));

describe('low-count days', () => {
  const lowOf = (count: (day: number) => number, among = days) =>
    lowCountDays(among, new Map(days.map((day, n) => [day, count(n)]))).map(
      ({ day, reports, usual }) => `${day} ${reports} of ${usual}`,
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
