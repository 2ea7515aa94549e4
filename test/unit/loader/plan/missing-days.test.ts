import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Day } from '../../../../clickhouse/model/day.ts';
import { countStationDays } from '../../../../loader/plan/missing-days.ts';

const range = (firstDay: string, endDay: string) => ({ firstDay: firstDay as Day, endDay: endDay as Day });

describe('missing days', () => {
  it('are counted over all stations', () => {
    const days = new Map([
      ['XAAA', [range('2024-01-01', '2024-01-05'), range('2024-02-01', '2024-02-02')]],
      ['XAAB', [range('2024-01-01', '2024-01-05')]],
    ]);
    assert.equal(countStationDays(days), 9);
    assert.equal(countStationDays(new Map()), 0);
  });
});
