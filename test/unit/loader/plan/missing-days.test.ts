import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Day } from '../../../../clickhouse/model/day.ts';
import { countDays, missingFromAll } from '../../../../loader/plan/missing-days.ts';

const range = (firstDay: string, endDay: string) => ({ firstDay: firstDay as Day, endDay: endDay as Day });

describe('missing days of several sources', () => {
  const iem = new Map([
    ['XAAA', [range('2024-01-01', '2024-01-05')]],
    ['XAAB', [range('2024-01-01', '2024-01-05')]],
  ]);
  const ogimet = new Map([
    ['XAAA', [range('2023-12-01', '2024-01-03')]],
    ['XAAC', [range('2024-01-01', '2024-01-05')]],
  ]);

  it('are those that no source has done (D13)', () => {
    assert.deepEqual(missingFromAll([iem, ogimet]), new Map([['XAAA', [range('2024-01-01', '2024-01-03')]]]));
    assert.deepEqual(missingFromAll([iem]), iem);
    assert.deepEqual(missingFromAll([]), new Map());
  });

  it('are counted over all stations', () => {
    assert.equal(countDays(iem), 8);
    assert.equal(countDays(new Map()), 0);
  });
});
