import assert from 'node:assert/strict';
import {
  type CoverageYear,
  isYearDone,
  periodOfRecord,
  yearsOldEnough,
} from '../../../../clickhouse/coverage/rules.ts';
import type { Listing } from '../../../../clickhouse/coverage/station-listings.ts';
import type { Day } from '../../../../clickhouse/model/day.ts';

const seconds = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000;
const NOW = new Date('2026-06-01T00:00:00Z');

/** What a view knows of 2024 from one source: a run of days, or days named one by one. */
function held(first: number, last: number, days: readonly number[] = []): CoverageYear {
  return { source: 'iem', year: 2024, first, last, days, firstReport: null, lastReport: null };
}

function isDone(from: string, to: string, years: readonly CoverageYear[], listings: readonly Listing[] = []) {
  const [year] = yearsOldEnough({ from: seconds(from), to: seconds(to) }, NOW);
  return year !== undefined && isYearDone(year, years, periodOfRecord(listings));
}

function listing(firstDay?: string, lastDay?: string, listedDay?: string): Listing {
  return {
    source: 'iem',
    station: 'XAAA',
    ...(firstDay !== undefined && { firstDay: firstDay as Day }),
    ...(lastDay !== undefined && { lastDay: lastDay as Day }),
    ...(listedDay !== undefined && { listedDay: listedDay as Day }),
  };
}

describe('a calendar year of the ledger', () => {
  it('is done when one run of days covers what is asked for', () => {
    assert.equal(isDone('2024-01-01', '2025-01-01', [held(1, 366)]), true);
    assert.equal(isDone('2024-02-01', '2024-03-01', [held(32, 60)]), true);
    assert.equal(isDone('2024-02-01', '2024-03-02', [held(32, 60)]), false);
    assert.equal(isDone('2024-01-31', '2024-03-01', [held(32, 60)]), false);
  });

  it('is not done for a gap between its first day and its last', () => {
    const named = held(1, 5, [1, 2, 4, 5]);
    assert.equal(isDone('2024-01-01', '2024-01-06', [named]), false);
    assert.equal(isDone('2024-01-04', '2024-01-06', [named]), true);
  });

  it('is done when sources have it together, by runs or by named days (D13)', () => {
    assert.equal(isDone('2024-01-01', '2024-01-07', [held(1, 3), held(4, 6)]), true);
    assert.equal(isDone('2024-01-01', '2024-01-07', [held(1, 6, [1, 2, 4, 6]), held(3, 5)]), true);
    assert.equal(isDone('2024-01-01', '2024-01-07', [held(1, 2), held(4, 6)]), false);
  });

  it('is not done where nothing is: an empty set has its ends the wrong way round', () => {
    assert.equal(isDone('2024-01-01', '2024-01-02', [held(65_535, 0)]), false);
    assert.equal(isDone('2024-12-31', '2025-01-01', [held(65_535, 0)]), false);
  });

  it('is never done with a day younger than 72 hours (D13)', () => {
    assert.equal(yearsOldEnough({ from: seconds('2026-01-01'), to: seconds('2026-05-29') }, NOW).length, 1);
    assert.equal(yearsOldEnough({ from: seconds('2026-01-01'), to: seconds('2026-05-30') }, NOW).length, 0);
  });

  it('needs no day outside the periods of record, but every day when one source states none (D13)', () => {
    const march = listing('2024-03-01', '2024-03-31', '2026-01-01');
    assert.equal(isDone('2024-01-01', '2025-01-01', [held(61, 91)], [march]), true);
    assert.equal(isDone('2024-01-01', '2025-01-01', [held(61, 90)], [march]), false);
    assert.equal(isDone('2024-01-01', '2025-01-01', [held(61, 91)], [march, listing()]), false);
    const ended = listing('2024-03-01', '2024-03-31', '2024-06-01');
    assert.equal(isDone('2024-01-01', '2025-01-01', [held(61, 91)], [ended]), false, 'told too early');
  });
});
