import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { StationYear } from '../../../../clickhouse/coverage/station-years.ts';
import { dayRanges } from '../../../../clickhouse/model/day-ranges.ts';
import { stationLines, summaryLines, yearStatus } from '../../../../loader/commands/format-status.ts';

const stationYear = (
  year: number,
  about: Partial<StationYear> & { readonly missing?: readonly string[] } = {},
): StationYear => {
  const { missing = [], ...rest } = about;
  const open = dayRanges(
    year,
    missing.map((day) => 1 + (Date.parse(day) - Date.UTC(year, 0)) / 86_400_000),
  );
  return {
    station: 'KJFK',
    year,
    listedBy: ['iem'],
    daysDue: 365,
    done: [],
    daysOpen: missing.length,
    open,
    loadedFrom: ['iem'],
    ...rest,
  };
};
const yearOf = (year: number) =>
  Array.from({ length: 365 }, (_, day) => new Date(Date.UTC(year, 0, 1 + day)).toISOString().slice(0, 10));

describe('the status of the archive', () => {
  it('is one line a year over all stations, and one of everything', () => {
    const missing = ['2023-01-01', '2023-01-02', '2023-06-01'];
    const years = [
      yearStatus(2021, [stationYear(2021, { missing: yearOf(2021) })], []),
      yearStatus(2022, [stationYear(2022, { missing: yearOf(2022) })], []),
      yearStatus(
        2023,
        [stationYear(2023, { missing }), stationYear(2023, { station: 'EGLL' })],
        [
          { station: 'KJFK', source: 'iem', reports: 100 },
          { station: 'EGLL', source: 'ogimet', reports: 300 },
        ],
      ),
    ];
    assert.deepEqual(summaryLines(years), [
      '2021 to 2022: nothing of 730 station-days',
      '2023: 727 of 730 station-days done, 3 missing at 1 of 2 stations, 400 reports (ogimet 300, iem 100)',
      'all: 727 of 1460 station-days done, 400 reports',
    ]);
  });

  it('names the first gaps of a station, and how many more there are', () => {
    const missing = ['2023-01-01', '2023-01-02', '2023-02-01', '2023-03-01', '2023-04-01', '2023-05-01'];
    const held = stationYear(2023, { missing });
    const status = yearStatus(2023, [held], [{ station: 'KJFK', source: 'demo', reports: 7 }]);
    assert.deepEqual(stationLines('KJFK', [{ held, status }]), [
      'KJFK 2023: 359 of 365 days done, missing 2023-01-01 to 2023-01-03, 2023-02-01 to 2023-02-02, 2023-03-01 to 2023-03-02 and 2 more gaps, 7 reports (demo, synthetic)',
    ]);
  });

  it('says nothing of years outside the period of record', () => {
    const before = stationYear(2022, { daysDue: 0 });
    const held = stationYear(2023);
    const status = yearStatus(2023, [held], []);
    const years = [
      { held: before, status: yearStatus(2022, [before], []) },
      { held, status },
    ];
    assert.deepEqual(stationLines('KJFK', years), ['KJFK 2023: 365 of 365 days done, no reports']);
  });

  it('tells a code that no source lists from a station of which nothing is loaded (D13)', () => {
    const held = stationYear(2023, { listedBy: [] });
    assert.deepEqual(stationLines('KJFX', [{ held, status: yearStatus(2023, [held], []) }]), [
      'KJFX: nothing, and no source lists it, so that no day of it counts as done',
    ]);
    const listed = stationYear(2023, { missing: yearOf(2023) });
    assert.deepEqual(stationLines('KJFK', [{ held: listed, status: yearStatus(2023, [listed], []) }]), [
      'KJFK 2023: nothing of 365 days',
    ]);
  });

  it('is empty of an empty archive', () => assert.deepEqual(summaryLines([]), ['The archive is empty.']));
});
