import assert from 'node:assert/strict';
import {
  countDaysOfYear,
  countYearsDone,
  reportsWithin,
  yearsOldEnough,
} from '../../../../clickhouse/coverage/rules.ts';
import { daySetOf } from '../../../../clickhouse/model/day.ts';
import { day } from '../../../support/archive/ledger.ts';

const seconds = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000;
const NOW = new Date('2026-06-01T00:00:00Z');

const days = (firstDay: string, endDay: string) => daySetOf({ firstDay: day(firstDay), endDay: day(endDay) });
/** Which days are due and open: `coverage-agreement.test.ts`, day by day. */
describe('calendar years of a range', () => {
  const range = (from: string, to: string) => ({ from: seconds(from), to: seconds(to) });

  it('are old enough when no requested day is younger than 72 hours (D13)', () => {
    assert.equal(yearsOldEnough(range('2026-01-01', '2026-05-29'), NOW).length, 1);
    assert.equal(yearsOldEnough(range('2026-01-01', '2026-05-30'), NOW).length, 0);
    assert.equal(yearsOldEnough(range('2024-06-01', '2026-05-30'), NOW).length, 2);
  });

  it('have their days due and done counted', () => {
    const january = { due: days('2024-01-01', '2024-02-01'), open: days('2024-01-11', '2024-02-01') };
    assert.deepEqual(countDaysOfYear(2024, january), { daysDue: 31, daysDone: 10 });
    assert.deepEqual(countDaysOfYear(2023, january), { daysDue: 0, daysDone: 0 });
  });

  it('are done when none of their requested days is open (D14)', () => {
    const years = yearsOldEnough(range('2023-06-01', '2025-06-01'), NOW);
    assert.equal(countYearsDone(years, []), 3);
    assert.equal(countYearsDone(years, days('2024-12-31', '2025-01-01')), 2);
    assert.equal(countYearsDone(years, days('2024-12-31', '2025-01-02')), 1);
    assert.equal(countYearsDone(years, days('2023-05-31', '2023-06-01')), 3);
  });
});

describe('reports in a range', () => {
  const spans = [{ first: 1000, last: 2000 }];

  it('are certain at the first and last report of a year, and unknown between them', () => {
    assert.equal(reportsWithin({ from: 1000, to: 1001 }, spans), 'yes');
    assert.equal(reportsWithin({ from: 2000, to: 2060 }, spans), 'yes');
    assert.equal(reportsWithin({ from: 500, to: 1000 }, spans), 'no');
    assert.equal(reportsWithin({ from: 2001, to: 9000 }, spans), 'no');
    assert.equal(reportsWithin({ from: 1001, to: 2000 }, spans), 'unknown');
  });
});
