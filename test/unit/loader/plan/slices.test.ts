import assert from 'node:assert/strict';
import type { Day, DayRange } from '../../../../clickhouse/model/day.ts';
import { chunksOf, splitIntoSlices } from '../../../../loader/plan/slices.ts';
import { demo } from '../../../../loader/sources/demo/demo.ts';

const range = (firstDay: string, endDay: string) => ({ firstDay: firstDay as Day, endDay: endDay as Day });

const STATIONS = ['XAAA', 'XAAB', 'XAAC'];
const RANGE = { firstDay: '2022-01-01' as Day, endDay: '2024-01-01' as Day };
const planned = (stations: readonly string[], preference: Partial<Parameters<typeof chunksOf>[1]> = {}) => [
  ...chunksOf({ adapter: demo(), now: () => new Date() }, { stations, ...RANGE, ...preference }),
];
const stationYears = (preference: Parameters<typeof planned>[1]) =>
  planned(STATIONS, preference).flatMap(({ stations, ...range }) =>
    splitIntoSlices({ source: 'iem' }, new Map(stations.map((station) => [station, [range]]))).map(
      ({ station, firstDay }) => `${station} ${firstDay.slice(0, 4)}`,
    ),
  );

describe('order of a plan', () => {
  it('is station by station without a preference', () => {
    assert.deepEqual(
      stationYears({}),
      STATIONS.flatMap((station) => [`${station} 2022`, `${station} 2023`]),
    );
  });

  it('is the newest or the oldest year of all stations first', () => {
    const newest = ['XAAA 2023', 'XAAB 2023', 'XAAC 2023', 'XAAA 2022', 'XAAB 2022', 'XAAC 2022'];
    assert.deepEqual(stationYears({ order: 'newest' }), newest);
    assert.deepEqual(stationYears({ order: 'oldest' }), [...newest.slice(3), ...newest.slice(0, 3)]);
  });

  it('is year by year for all stations', () => {
    assert.deepEqual(
      planned(['*']).map(({ firstDay }) => firstDay),
      ['2022-01-01', '2023-01-01'],
    );
  });

  it('has chunks of at most 200 stations', () => {
    const stations = Array.from({ length: 1001 }, (_, at) => `X${at}`);
    const chunks = planned(stations);
    assert.deepEqual(
      chunks.map((chunk) => chunk.stations.length),
      [200, 200, 200, 200, 200, 1],
    );
    assert.deepEqual(
      chunks.flatMap((chunk) => chunk.stations),
      stations,
    );
  });
});

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
