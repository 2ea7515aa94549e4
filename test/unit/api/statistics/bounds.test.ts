import assert from 'node:assert/strict';
import { countCalendarGroups, countStationYears } from '../../../../api/statistics/bounds.ts';
import { parseBy } from '../../../../api/statistics/by-list.ts';
import { NO_COVERAGE } from '../../../../clickhouse/coverage/rules.ts';

const YEARS = { from: Date.UTC(2020, 0) / 1000, to: Date.UTC(2024, 0) / 1000 };

describe('the work of a question is known before it is asked', () => {
  it('in years of reports of one station, whatever sources they have', () => {
    const span = (source: string, from: number, to: number) => ({
      source,
      first: from / 1000,
      last: to / 1000,
      hours: 1,
    });
    const reports = [
      span('iem', Date.UTC(2019, 0), Date.UTC(2019, 11, 31, 23)),
      span('iem', Date.UTC(2020, 0), Date.UTC(2020, 11, 31, 23)),
      span('ogimet', Date.UTC(2020, 6), Date.UTC(2020, 7)),
      span('iem', Date.UTC(2023, 6), Date.UTC(2023, 11, 31, 23)),
    ];
    const states = new Map([['XAAA', { ...NO_COVERAGE, reports }]]);
    const years = countStationYears({ stations: ['XAAA', 'XAAB'], ...YEARS }, states);
    assert.ok(Math.abs(years - 1.5) < 0.01, String(years));
  });

  for (const [by, groups] of Object.entries({
    hour: 24,
    month: 12,
    'year,month': 48,
    'month,hour': 288,
    season: 4,
    'year,season': 17,
    date: 1461,
    'date,hour': 1461 * 24,
    'wind_sector(8)': 1,
  }))
    it(`and ${groups} groups of the calendar by ${by} in four years`, () => {
      assert.equal(countCalendarGroups({ ...YEARS, groups: parseBy(by) }), groups);
    });

  for (const [by, groups] of Object.entries({ month: 2, date: 2, 'year,season': 2, hour: 2, 'date,hour': 2 }))
    it(`and ${groups} groups by ${by} in the two hours about the end of a February`, () => {
      const range = { from: Date.UTC(2024, 1, 29, 23) / 1000, to: Date.UTC(2024, 2, 1, 1) / 1000 };
      assert.equal(countCalendarGroups({ ...range, groups: parseBy(by) }), groups);
    });
});
