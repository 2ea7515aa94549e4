import assert from 'node:assert/strict';
import { type StationStatus, type Status, statusLines } from '../../../../loader/commands/status.ts';
import { day } from '../../../support/archive/ledger.ts';

const NOW = new Date('2024-03-01T12:00:00Z');
const EMPTY: Status = { sources: [], years: [] };

/** A year of a listed station. */
const ofYear = (year: number, daysDone: number, reports: Readonly<Record<string, number>> = {}) => ({
  ...{ year, daysDue: 365, daysDone, reports },
  missing: [],
});
const linesOf = (years: StationStatus['years'], listedBy: readonly string[] = ['iem']) =>
  statusLines({ ...EMPTY, stations: [{ station: 'KJFK', listedBy, years }] }, NOW);

describe('output of status', () => {
  it('has one line for each year over all stations, and one for all years', () => {
    const years = [
      { ...ofYear(2022, 0), stations: 1, stationsOpen: 1 },
      { ...ofYear(2023, 727, { iem: 100, ogimet: 300 }), daysDue: 730, stations: 2, stationsOpen: 1 },
    ];
    const lastLoad = { endedAt: '2024-03-01T11:00:00Z', newReports: 1 };
    const sources = [
      { source: 'iem', lastLoad },
      { source: 'ogimet', lastFailure: { at: '2024-02-01T12:00:00Z', reason: 'quota' } },
    ];
    assert.deepEqual(statusLines({ ...EMPTY, newestReport: '2024-03-01T11:51:00Z', sources, years }, NOW), [
      '2022: 0 of 365 station-days done, 365 missing at 1 of 1 station, no reports',
      '2023: 727 of 730 station-days done, 3 missing at 1 of 2 stations, 400 reports (ogimet 300, iem 100)',
      'all: 727 of 1095 station-days done, 400 reports',
      'newest report: 2024-03-01T11:51:00Z, 9 min ago',
      'iem: last load 2024-03-01T11:00:00Z, 60 min ago, 1 new report',
      'ogimet: nothing was loaded; last failure 2024-02-01T12:00:00Z, 29 days ago: quota',
    ]);
  });

  it('says that no day is due in years that only files have', () => {
    const year = { ...ofYear(2020, 0, { iem: 7 }), daysDue: 0, stations: 0, stationsOpen: 0 };
    const [first, all] = statusLines({ ...EMPTY, years: [year] }, NOW);
    assert.deepEqual([first, all], ['2020: no day is due, 7 reports (iem)', 'all: no day is due, 7 reports']);
  });

  it('names the first three missing ranges of a station, and how many more there are', () => {
    const missing = ['01', '02', '03', '04', '05'].map((month) => ({
      from: day(`2023-${month}-01`),
      to: day(`2023-${month}-02`),
    }));
    assert.deepEqual(linesOf([{ ...ofYear(2023, 360, { demo: 7 }), missing }]), [
      'KJFK 2023: 360 of 365 days done, missing 2023-01-01 to 2023-01-02, 2023-02-01 to 2023-02-02, 2023-03-01 to 2023-03-02 and 2 more ranges, 7 reports (demo, synthetic)',
    ]);
    assert.deepEqual(linesOf([ofYear(2023, 365)]), ['KJFK 2023: 365 of 365 days done, no reports']);
  });

  it('distinguishes a code that no source lists from a station without loaded days (D13)', () => {
    assert.deepEqual(linesOf([], []), [
      'KJFK: no reports; no source lists this station, so none of its days count as done',
    ]);
    assert.deepEqual(linesOf([ofYear(2023, 0)]), ['KJFK 2023: 0 of 365 days done, no reports']);
  });

  it('says that an archive is empty', () =>
    assert.deepEqual(statusLines(EMPTY, NOW), ['The archive is empty.']));
});
