import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Day } from '../../../../clickhouse/model/day.ts';
import { clip, splitByDay, splitByYear } from '../../../../clickhouse/model/day-ranges.ts';

const day = (text: string) => text as Day;
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
