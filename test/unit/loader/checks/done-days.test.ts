import assert from 'node:assert/strict';
import { addDays, type Day } from '../../../../clickhouse/model/day.ts';
import { lowCountDays } from '../../../../loader/checks/done-days.ts';

const FIRST = '2024-01-01' as Day; // A Monday.
const days = Array.from({ length: 60 }, (_, n) => addDays(FIRST, n));
const countsOf = (count: (day: number) => number) => new Map(days.map((day, n) => [day, count(n)]));

describe('low-count days', () => {
  it('have fewer than half the median of the days around', () => {
    assert.deepEqual(
      lowCountDays(
        days,
        countsOf((n) => (n === 30 ? 11 : 24)),
      ),
      [{ day: '2024-01-31', reports: 11, usual: 24 }],
    );
    assert.deepEqual(
      lowCountDays(
        days,
        countsOf((n) => (n === 30 ? 12 : 24)),
      ),
      [],
    );
  });

  it('include days without reports, and several in a row', () => {
    const thin = lowCountDays(
      days,
      countsOf((n) => (n >= 30 && n < 33 ? 0 : 24)),
    );
    assert.deepEqual(
      thin.map(({ day }) => day),
      ['2024-01-31', '2024-02-01', '2024-02-02'],
    );
  });

  it('exclude the weekends of a station that closes at weekends', () => {
    assert.deepEqual(
      lowCountDays(
        days,
        countsOf((n) => (n % 7 >= 5 ? 0 : 12)),
      ),
      [],
    );
  });

  it('exclude stations with fewer than eight reports a day', () => {
    assert.deepEqual(
      lowCountDays(
        days,
        countsOf((n) => (n === 30 ? 1 : 7)),
      ),
      [],
    );
  });

  it('exclude the edge of a silence of weeks', () => {
    assert.deepEqual(
      lowCountDays(
        days,
        countsOf((n) => (n < 30 ? 0 : 24)),
      ),
      [],
    );
  });

  it('are searched only among the given days', () => {
    assert.deepEqual(
      lowCountDays(
        days.slice(0, 20),
        countsOf((n) => (n === 30 ? 0 : 24)),
      ),
      [],
    );
  });
});
