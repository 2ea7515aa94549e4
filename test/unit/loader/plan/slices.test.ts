import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Day } from '../../../../clickhouse/model/day.ts';
import { cutAt, inBoth, planSlices } from '../../../../loader/plan/slices.ts';

const day = (text: string) => text as Day;
const range = (firstDay: string, endDay: string) => ({ firstDay: day(firstDay), endDay: day(endDay) });

describe('slices of a plan', () => {
  it('has one slice for each station and calendar year', () => {
    const missing = [range('2022-12-31', '2024-01-02'), range('2024-02-01', '2024-02-03')];
    assert.deepEqual(
      planSlices(
        'iem',
        new Map([
          ['XAAB', missing],
          ['XAAA', missing],
        ]),
      ).map(({ station, firstDay, endDay }) => `${station} ${firstDay} ${endDay}`),
      ['XAAB', 'XAAA'].flatMap((station) => [
        `${station} 2022-12-31 2023-01-01`,
        `${station} 2023-01-01 2024-01-01`,
        `${station} 2024-01-01 2024-01-02`,
        `${station} 2024-02-01 2024-02-03`,
      ]),
    );
  });

  it('has one slice for each day of all stations', () => {
    assert.deepEqual(
      planSlices('iem', new Map([['*', [range('2023-12-31', '2024-01-02')]]])).map(
        ({ firstDay }) => firstDay,
      ),
      ['2023-12-31', '2024-01-01'],
    );
  });
});

describe('the days of a range before a day', () => {
  it('are cut there, and none when the range begins later', () => {
    const january = range('2024-01-01', '2024-02-01');
    assert.deepEqual(cutAt(day('2024-01-10'), january), range('2024-01-01', '2024-01-10'));
    assert.deepEqual(cutAt(day('2024-03-01'), january), january);
    assert.deepEqual(cutAt(day('2023-12-31'), january), range('2024-01-01', '2024-01-01'));
  });
});

describe('the days in two lists of ranges', () => {
  it('are those that both hold', () => {
    const a = [range('2024-01-01', '2024-01-05'), range('2024-01-10', '2024-01-20')];
    const b = [range('2024-01-04', '2024-01-12'), range('2024-01-19', '2024-02-01')];
    assert.deepEqual(inBoth(a, b), [
      range('2024-01-04', '2024-01-05'),
      range('2024-01-10', '2024-01-12'),
      range('2024-01-19', '2024-01-20'),
    ]);
    assert.deepEqual(inBoth(a, []), []);
  });
});
