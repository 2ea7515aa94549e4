import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { daysOfYear, describeYear, shareDone } from '../../../../../../api/explorer/assets/state/coverage.js';
import { defaultPeriod } from '../../../../../../api/explorer/assets/state/default-period.js';

const COVERAGE = {
  station: 'XAAA',
  status: 'partial',
  yearsDone: 0,
  yearsAll: 1,
  periodOfRecord: { firstDay: '2024-01-03', lastDay: '2024-12-20' },
  years: [
    { year: 2023, status: 'complete', daysDue: 0, daysDone: 0, sources: [] },
    {
      year: 2024,
      status: 'partial',
      daysDue: 353,
      daysDone: 352,
      reports: 8400,
      lastReport: '2024-12-20T23:51:00Z',
      sources: ['iem', 'ncei'],
    },
    { year: 2025, status: 'none', daysDue: 10, daysDone: 0, sources: [] },
  ],
  gaps: [{ from: '2024-02-28T00:00:00Z', to: '2024-02-29T00:00:00Z' }],
  // Between the periods of two sources too, and not on a day after the last one that is done all the same.
  notDue: [
    { from: '2005-01-01T00:00:00Z', to: '2024-01-03T00:00:00Z' },
    { from: '2024-05-01T00:00:00Z', to: '2024-06-01T00:00:00Z' },
    { from: '2024-12-21T00:00:00Z', to: '2024-12-24T00:00:00Z' },
  ],
};

const kinds = (today: string, year = 2024) =>
  new Map(daysOfYear(COVERAGE, year, today).map(({ day, kind }) => [day, kind]));

describe('coverage on the page', () => {
  it('tells complete days, missing ones and those outside the period of record apart', () => {
    const days = kinds('2026-01-01');
    assert.equal(days.size, 366);
    const expected = {
      '01-02': 'not due',
      '01-03': 'done',
      '02-28': 'missing',
      '02-29': 'done',
      '04-30': 'done',
      '05-01': 'not due',
      '05-31': 'not due',
      '06-01': 'done',
      '12-20': 'done',
      '12-21': 'not due',
      '12-24': 'done',
    };
    for (const [day, kind] of Object.entries(expected)) assert.equal(days.get(`2024-${day}`), kind, day);
  });

  it('calls no day complete that ended less than 72 hours ago', () => {
    const days = kinds('2024-06-10');
    assert.deepEqual([days.get('2024-06-06'), days.get('2024-06-07')], ['done', 'too young']);
  });

  it('calls no day complete that lies before the archive begins', () => {
    assert.deepEqual([...new Set(kinds('2026-01-01', 2004).values())], ['not due']);
  });

  it('gives a year as a share and in words', () => {
    const [without, year, empty] = COVERAGE.years;
    assert.deepEqual([without, year, empty].map(shareDone), [undefined, 352 / 353, 0]);
    assert.equal(describeYear(year), '352 of 353 days complete, 8,400 reports, from iem, ncei');
    assert.equal(describeYear(without), 'no day is due');
  });

  it('starts with the last week that has reports, also where coverage does not know the last report of a year', () => {
    const nothing = { year: '', from: '', to: '' };
    const week = (from: string, to: string) => ({ year: from.slice(0, 4), from, to });
    const chosen = { year: '', from: '2023-05-01', to: '2023-05-02' };
    const CASES = [
      [nothing, undefined, week('2024-12-14', '2024-12-21')],
      [nothing, '2025-03-04T05:00:00Z', week('2025-02-26', '2025-03-05')],
      [{ ...nothing, year: '2024' }, '2025-03-04T05:00:00Z', week('2024-12-14', '2024-12-21')],
      [{ ...nothing, year: '2025' }, undefined, week('2025-01-01', '2025-01-08')],
      [chosen, '2025-03-04T05:00:00Z', { ...chosen, year: '2023' }],
    ] as const;
    for (const [state, lastReport, expected] of CASES)
      assert.deepEqual(defaultPeriod(COVERAGE, state, lastReport), expected);
  });
});
