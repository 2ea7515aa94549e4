import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { addDays, type Day } from '../../../../clickhouse/model/day.ts';
import { lowCountDays } from '../../../../loader/checks/low-count-days.ts';

const FIRST = '2024-01-01' as Day; // A Monday.
const days = Array.from({ length: 60 }, (_, n) => addDays(FIRST, n));
const countsOf = (count: (day: number) => number) => new Map(days.map((day, n) => [day, count(n)]));

describe('a day that holds suspiciously few reports', () => {
  it('has fewer than half of what the days around usually have', () => {
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

  it('may have none at all, or be one of a few in a row', () => {
    const thin = lowCountDays(
      days,
      countsOf((n) => (n >= 30 && n < 33 ? 0 : 24)),
    );
    assert.deepEqual(
      thin.map(({ day }) => day),
      ['2024-01-31', '2024-02-01', '2024-02-02'],
    );
  });

  it('is not the weekend of a station that rests then', () => {
    assert.deepEqual(
      lowCountDays(
        days,
        countsOf((n) => (n % 7 >= 5 ? 0 : 12)),
      ),
      [],
    );
  });

  it('is not a day of a station that sends little anyhow', () => {
    assert.deepEqual(
      lowCountDays(
        days,
        countsOf((n) => (n === 30 ? 1 : 7)),
      ),
      [],
    );
  });

  it('is not the first or last of a stretch of silence that the days around share', () => {
    assert.deepEqual(
      lowCountDays(
        days,
        countsOf((n) => (n < 30 ? 0 : 24)),
      ),
      [],
    );
  });

  it('is looked for among the days named alone', () => {
    assert.deepEqual(
      lowCountDays(
        days.slice(0, 20),
        countsOf((n) => (n === 30 ? 0 : 24)),
      ),
      [],
    );
  });
});
