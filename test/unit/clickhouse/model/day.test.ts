import assert from 'node:assert/strict';
import {
  addDays,
  type Day,
  dayOf,
  dayStart,
  daysBetween,
  firstProvisionalDay,
  parseDay,
} from '../../../../clickhouse/model/day.ts';

const day = (text: string) => parseDay(text) as Day;

describe('UTC day', () => {
  it('is parsed only when it exists in the calendar', () => {
    assert.equal(parseDay('2024-02-29'), '2024-02-29');
    for (const text of ['2023-02-29', '2024-13-01', '2024-1-1', '20240101', '2024-01-01T00:00:00Z', ''])
      assert.equal(parseDay(text), undefined, text);
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
