import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { addDays, type Day } from '../../../../clickhouse/model/day.ts';
import { cutAt, inBoth, planSlices } from '../../../../loader/plan/slices.ts';

const day = (text: string) => text as Day;
const range = (firstDay: string, endDay: string) => ({ firstDay: day(firstDay), endDay: day(endDay) });
const plan = (of: ReturnType<typeof range>, ...done: readonly string[]) =>
  planSlices(
    'iem',
    ['XAAA'],
    of,
    new Map([['XAAA', done.map((text) => ({ firstDay: day(text), endDay: addDays(day(text), 1) }))]]),
  ).map(({ firstDay, endDay }) => `${firstDay} ${endDay}`);

describe('the plan of a range', () => {
  it('is one slice a station and calendar year', () => {
    assert.deepEqual(
      planSlices('iem', ['XAAB', 'XAAA'], range('2022-12-31', '2024-01-02'), new Map()).map(
        ({ station, firstDay, endDay }) => `${station} ${firstDay} ${endDay}`,
      ),
      ['XAAB', 'XAAA'].flatMap((station) => [
        `${station} 2022-12-31 2023-01-01`,
        `${station} 2023-01-01 2024-01-01`,
        `${station} 2024-01-01 2024-01-02`,
      ]),
    );
  });

  it('leaves out the days that are done, at either end and in the middle', () => {
    assert.deepEqual(
      plan(range('2024-01-01', '2024-01-11'), '2024-01-01', '2024-01-05', '2024-01-06', '2024-01-10'),
      ['2024-01-02 2024-01-05', '2024-01-07 2024-01-10'],
    );
  });

  it('is empty when every day is done, and for an empty range', () => {
    assert.deepEqual(plan(range('2024-02-29', '2024-03-01'), '2024-02-29'), []);
    assert.deepEqual(plan(range('2024-02-29', '2024-02-29')), []);
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
