import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Day } from '../../../../clickhouse/model/day.ts';
import type { DayRange } from '../../../../clickhouse/model/day-ranges.ts';
import { splitIntoSlices } from '../../../../loader/plan/slices.ts';

const range = (firstDay: string, endDay: string) => ({ firstDay: firstDay as Day, endDay: endDay as Day });
const namesOf = (...days: [string, DayRange[]][]) =>
  splitIntoSlices({ source: 'iem' }, new Map(days)).map(
    ({ source, station, firstDay, endDay }) => `${source} ${station} ${firstDay} ${endDay}`,
  );

describe('slices of a plan', () => {
  it('are one a station and calendar year', () => {
    const days = [range('2022-12-31', '2024-01-02')];
    assert.deepEqual(
      namesOf(['XAAB', days], ['XAAA', days]),
      ['XAAB', 'XAAA'].flatMap((station) => [
        `iem ${station} 2022-12-31 2023-01-01`,
        `iem ${station} 2023-01-01 2024-01-01`,
        `iem ${station} 2024-01-01 2024-01-02`,
      ]),
    );
  });

  it('are one a range of missing days', () => {
    const days = [range('2024-01-02', '2024-01-05'), range('2024-01-07', '2024-01-10')];
    assert.deepEqual(namesOf(['XAAA', days]), [
      'iem XAAA 2024-01-02 2024-01-05',
      'iem XAAA 2024-01-07 2024-01-10',
    ]);
    assert.deepEqual(namesOf(), []);
  });

  it('are one a calendar year where the source gives whole years', () => {
    const days = [
      range('2023-12-30', '2024-01-03'),
      range('2024-03-01', '2024-03-02'),
      range('2024-11-05', '2024-11-06'),
    ];
    const slices = splitIntoSlices({ source: 'ncei', givesWholeYears: true }, new Map([['XAAA', days]]));
    assert.deepEqual(
      slices.map(({ firstDay, endDay }) => `${firstDay} ${endDay}`),
      ['2023-12-30 2024-01-01', '2024-01-01 2024-11-06'],
    );
  });

  it('are one a day for all stations', () => {
    assert.deepEqual(namesOf(['*', [range('2023-12-31', '2024-01-02')]]), [
      'iem * 2023-12-31 2024-01-01',
      'iem * 2024-01-01 2024-01-02',
    ]);
  });
});
