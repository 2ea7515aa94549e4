import assert from 'node:assert/strict';
import type { Listing } from '../../../../clickhouse/coverage/station-listings.ts';
import { addDays, daySetOf, unionOf, yearDays } from '../../../../clickhouse/model/day.ts';
import {
  addYears,
  type ReportCounts,
  stationLines,
  summaryLines,
  yearStatus,
} from '../../../../loader/commands/status.ts';
import { day } from '../../../support/archive/ledger.ts';

const listings: readonly Listing[] = [{ source: 'iem', station: 'KJFK' }];
const KJFK = { station: 'KJFK', listings };
const daysOf = (...days: readonly string[]) =>
  unionOf(days.flatMap((each) => daySetOf({ firstDay: day(each), endDay: addDays(day(each), 1) })));

/** A year of a listed station: all of its days are due, and these are open. */
const yearOf = (year: number, open = daysOf(), reports?: ReportCounts) =>
  yearStatus(year, { due: yearDays(year), open }, reports);

describe('output of status', () => {
  it('has one line for each year over all stations, and one for all years', () => {
    const open = daysOf('2023-01-01', '2023-01-02', '2023-06-01');
    const years = [
      yearOf(2021, yearDays(2021)),
      yearOf(2022, yearDays(2022)),
      addYears(
        yearOf(2023, open, new Map([['iem', 100]])),
        yearOf(2023, daysOf(), new Map([['ogimet', 300]])),
      ),
    ];
    assert.deepEqual(summaryLines(years), [
      '2021 to 2022: 0 of 730 station-days done',
      '2023: 727 of 730 station-days done, 3 missing at 1 of 2 stations, 400 reports (ogimet 300, iem 100)',
      'all: 727 of 1460 station-days done, 400 reports',
    ]);
  });

  it('names the first three missing ranges of a station, and how many more there are', () => {
    const open = daysOf('2023-01-01', '2023-01-02', '2023-02-01', '2023-03-01', '2023-04-01', '2023-05-01');
    assert.deepEqual(stationLines({ station: KJFK, years: [yearOf(2023, open, new Map([['demo', 7]]))] }), [
      'KJFK 2023: 359 of 365 days done, missing 2023-01-01 to 2023-01-03, 2023-02-01 to 2023-02-02, 2023-03-01 to 2023-03-02 and 2 more ranges, 7 reports (demo, synthetic)',
    ]);
  });

  it('has no line for years outside the period of record', () => {
    const before = yearStatus(2022, { due: [], open: [] });
    assert.deepEqual(stationLines({ station: KJFK, years: [before, yearOf(2023)] }), [
      'KJFK 2023: 365 of 365 days done, no reports',
    ]);
  });

  it('distinguishes a code that no source lists from a station without loaded days (D13)', () => {
    const unlisted = { station: 'KJFX', listings: [] };
    const year = yearStatus(2023, { due: [], open: [] });
    assert.deepEqual(stationLines({ station: unlisted, years: [year] }), [
      'KJFX: no reports; no source lists this station, so none of its days count as done',
    ]);
    assert.deepEqual(stationLines({ station: KJFK, years: [yearOf(2023, yearDays(2023))] }), [
      'KJFK 2023: 0 of 365 days done',
    ]);
  });

  it('says that an archive is empty', () => assert.deepEqual(summaryLines([]), ['The archive is empty.']));
});
