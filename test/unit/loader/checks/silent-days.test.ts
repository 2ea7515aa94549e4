import assert from 'node:assert/strict';
import { silentDays } from '../../../../loader/checks/silent-days.ts';

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
