import assert from 'node:assert/strict';
import { addDays, type Day } from '../../../../clickhouse/model/day.ts';
import { lowCountDays, silentDays } from '../../../../loader/checks/done-days.ts';

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

describe('silent days (D57)', () => {
  const done = [{ first: 100, end: 300 }];
  /** The station reports on all days but these. */
  const silent = (...empty: readonly (readonly [number, number])[]) => {
    const edges = [100, ...empty.flat(), 300];
    const reporting = edges.flatMap((first, at) =>
      at % 2 === 0 ? [{ first, end: edges[at + 1] as number }] : [],
    );
    return silentDays(
      done,
      reporting.filter(({ first, end }) => first < end),
    ).map(({ first, end }) => [first, end]);
  };

  it('are runs of any length between days with reports', () => {
    assert.deepEqual(silent([150, 151]), [[150, 151]]);
    assert.deepEqual(silent([150, 250]), [[150, 250]]);
    assert.deepEqual(silent([130, 131], [150, 155]), [
      [130, 131],
      [150, 155],
    ]);
  });

  it('are not those before the first report, after the last, or of weekends', () => {
    assert.deepEqual(silent([100, 150]), []);
    assert.deepEqual(silent([250, 300]), []);
    const weekends = Array.from({ length: 28 }, (_, week) => [104 + 7 * week, 106 + 7 * week] as const);
    assert.deepEqual(silent(...weekends.filter(([, end]) => end < 300)), []);
  });
});
