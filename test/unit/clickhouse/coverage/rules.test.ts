import assert from 'node:assert/strict';
import {
  countDaysOfYear,
  countYearsDone,
  daysToHold,
  dueDays,
  openDays,
  reportsWithin,
  yearsOldEnough,
} from '../../../../clickhouse/coverage/rules.ts';
import type { Listing } from '../../../../clickhouse/coverage/station-listings.ts';
import { dayRangesOf, daySetOf } from '../../../../clickhouse/model/day.ts';
import type { Source } from '../../../../clickhouse/model/report.ts';
import { day } from '../../../support/archive/ledger.ts';

const seconds = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000;
const NOW = new Date('2026-06-01T00:00:00Z');

const days = (firstDay: string, endDay: string) => daySetOf({ firstDay: day(firstDay), endDay: day(endDay) });
const done = (source: Source, firstDay: string, endDay: string) => ({ source, days: days(firstDay, endDay) });
const texts = (set: ReturnType<typeof days>) =>
  dayRangesOf(set).map(({ firstDay, endDay }) => `${firstDay} to ${endDay}`);

function listing(source: Source, firstDay?: string, lastDay?: string, listedDay = '2026-01-01'): Listing {
  return {
    source,
    station: 'XAAA',
    ...(firstDay !== undefined && { firstDay: day(firstDay) }),
    ...(lastDay !== undefined && { lastDay: day(lastDay) }),
    listedDay: day(listedDay),
  };
}

describe('due days', () => {
  const year = days('2024-01-01', '2025-01-01');

  it('are all days where no source states a period (D37)', () => {
    assert.deepEqual(dueDays(year, []), year);
    assert.deepEqual(dueDays(year, [listing('iem'), listing('ogimet')]), year);
  });

  it('are the period of the only source that states one', () => {
    const march = listing('iem', '2024-03-01', '2024-03-31');
    assert.deepEqual(texts(dueDays(year, [march])), ['2024-03-01 to 2024-04-01']);
    assert.deepEqual(texts(dueDays(year, [march, listing('ogimet')])), ['2024-03-01 to 2024-04-01']);
  });

  it('are the days that at least one stated period includes', () => {
    const two = [listing('iem', '2024-03-01', '2024-03-31'), listing('ncei', '2024-06-01', '2024-06-02')];
    assert.deepEqual(texts(dueDays(year, two)), ['2024-03-01 to 2024-04-01', '2024-06-01 to 2024-06-03']);
  });

  it('are open where a first or a last day is missing', () => {
    assert.deepEqual(texts(dueDays(year, [listing('iem', '2024-03-01')])), ['2024-03-01 to 2025-01-01']);
    assert.deepEqual(texts(dueDays(year, [listing('iem', undefined, '2024-03-01')])), [
      '2024-01-01 to 2024-03-02',
    ]);
  });

  it('are again all days from the day on which the end of a period was stated', () => {
    const ended = listing('iem', '2024-03-01', '2024-03-31', '2024-06-01');
    assert.deepEqual(texts(dueDays(year, [ended])), ['2024-03-01 to 2024-04-01', '2024-06-01 to 2025-01-01']);
    const statedOnLastDay = listing('iem', '2024-03-01', '2024-03-31', '2024-03-31');
    assert.deepEqual(texts(dueDays(year, [statedOnLastDay])), ['2024-03-01 to 2025-01-01']);
  });

  it('never begin before the first day of a period, even when that was stated long ago', () => {
    const early = listing('iem', '2024-03-01', undefined, '2010-01-01');
    assert.deepEqual(texts(dueDays(year, [early])), ['2024-03-01 to 2025-01-01']);
  });
});

describe('open days', () => {
  const january = days('2024-01-01', '2024-02-01');

  it('are due days that no listing source has done', () => {
    const listings = [listing('iem', '2024-01-05'), listing('ogimet')];
    const own = [done('iem', '2024-01-01', '2024-01-10'), done('ncei', '2024-01-10', '2024-01-20')];
    const world = [done('ogimet', '2024-01-25', '2024-02-01')];
    assert.deepEqual(texts(openDays(january, listings, own, world)), ['2024-01-10 to 2024-01-25']);
  });

  it('are all days of a code that no source lists (D13)', () => {
    assert.deepEqual(openDays(january, [], [done('iem', '2024-01-01', '2024-02-01')]), january);
  });

  it('are not due where no source lists the code, and are counted by year', () => {
    const iem = [done('iem', '2024-01-01', '2024-01-11')];
    assert.deepEqual(daysToHold(january, [], iem), { due: [], open: [] });
    const listed = daysToHold(january, [{ source: 'iem', station: 'KJFK' }], iem);
    assert.deepEqual(countDaysOfYear(2024, listed), { daysDue: 31, daysDone: 10 });
    assert.deepEqual(countDaysOfYear(2023, listed), { daysDue: 0, daysDone: 0 });
  });
});

describe('calendar years of a range', () => {
  const range = (from: string, to: string) => ({ from: seconds(from), to: seconds(to) });

  it('are old enough when no requested day is younger than 72 hours (D13)', () => {
    assert.equal(yearsOldEnough(range('2026-01-01', '2026-05-29'), NOW).length, 1);
    assert.equal(yearsOldEnough(range('2026-01-01', '2026-05-30'), NOW).length, 0);
    assert.equal(yearsOldEnough(range('2024-06-01', '2026-05-30'), NOW).length, 2);
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
