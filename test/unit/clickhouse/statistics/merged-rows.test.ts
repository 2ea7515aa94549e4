import assert from 'node:assert/strict';
import { SqlParameters } from '../../../../clickhouse/statements/sql.ts';
import { Calendar } from '../../../../clickhouse/statistics/calendar.ts';
import type { Column } from '../../../../clickhouse/statistics/column.ts';
import { groupColumns } from '../../../../clickhouse/statistics/groups.ts';
import {
  type AnswerRow,
  type CountedRow,
  MergedRows,
} from '../../../../clickhouse/statistics/merged-rows.ts';
import { type AnswerFormat, Printer } from '../../../../clickhouse/statistics/printer.ts';
import type { Group } from '../../../../clickhouse/statistics/question.ts';

const VALUES: readonly Column[] = [
  { name: 'count', type: 'Int64' },
  { name: 'mean_temp_c', type: 'Nullable(Float64)' },
];
const MONTH: Group = { kind: 'calendar', unit: 'month' };
const SECTOR: Group = { kind: 'sector', sectors: 8 };

function merge(
  groups: readonly Group[],
  stations: readonly string[],
  batches: readonly CountedRow[][],
): string[] {
  const calendar = new Calendar(groups.flatMap((group) => (group.kind === 'calendar' ? [group.unit] : [])));
  const hours = new Map([
    [1, 744],
    [2, 696],
  ]);
  const rows = new MergedRows({
    stations,
    groups: groupColumns(groups, new SqlParameters('value')),
    values: VALUES,
    calendar,
    calendarAt: groups.flatMap(({ kind }, at) => (kind === 'calendar' ? [at] : [])),
    hoursOf: () => (calendar.units.length === 0 ? new Map([[0, 1440]]) : hours),
  });
  const all: AnswerRow[] = [...batches.flatMap((batch) => [...rows.upTo(batch)]), ...rows.rest()];
  return all.map(({ head, values }) => [...head, ...values.split('\t')].join(' '));
}

const counted = (station: number, groups: readonly string[], values: string): CountedRow => ({
  station,
  groups,
  n: '5',
  values,
});

describe('rows of an answer', () => {
  it('are those of the engine and the groups of the calendar without reports, in one order', () => {
    const rows = [counted(0, ['2'], '5\t1.5'), counted(2, ['1'], '5\t-0')];
    const expected = [
      'XAAA 1 0 744 0 \\N',
      'XAAA 2 5 696 5 1.5',
      'XBBB 1 0 744 0 \\N',
      'XBBB 2 0 696 0 \\N',
      'XCCC 1 5 744 5 -0',
      'XCCC 2 0 696 0 \\N',
    ];
    const stations = ['XAAA', 'XBBB', 'XCCC'];
    assert.deepEqual(merge([MONTH], stations, [rows]), expected);
    assert.deepEqual(merge([MONTH], stations, [rows.slice(0, 1), [], rows.slice(1)]), expected);
    assert.equal(merge([MONTH], stations, []).length, 6);
  });

  it('have no expected hour in a group that the calendar lacks', () => {
    const rows = [counted(0, ['2'], '5\t1'), counted(0, ['3'], '5\t1')];
    assert.deepEqual(merge([MONTH], ['XAAA'], [rows]), [
      'XAAA 1 0 744 0 \\N',
      'XAAA 2 5 696 5 1',
      'XAAA 3 5 0 5 1',
    ]);
  });

  it('are those of the engine alone where a group is not of the calendar', () => {
    const rows = [
      counted(1, ['2', '0'], '5\t1'),
      counted(1, ['2', '200'], '5\t1'),
      counted(1, ['2', '201'], '5\t1'),
      counted(1, ['2', '\\N'], '5\t1'),
    ];
    assert.deepEqual(merge([MONTH, SECTOR], ['XAAA', 'XBBB'], [rows]), [
      'XBBB 2 0 5 696 5 1',
      'XBBB 2 calm 5 696 5 1',
      'XBBB 2 variable 5 696 5 1',
      'XBBB 2 \\N 5 696 5 1',
    ]);
    assert.deepEqual(merge([SECTOR], ['XAAA'], [[counted(0, ['3'], '5\t1')]]), ['XAAA 3 5 1440 5 1']);
  });

  it('are one of each station without groups', () => {
    assert.deepEqual(merge([], ['XAAA', 'XBBB'], [[counted(1, [], '5\t1')]]), [
      'XAAA 0 1440 0 \\N',
      'XBBB 5 1440 5 1',
    ]);
  });
});

describe('printer of an answer', () => {
  const columns: readonly Column[] = [
    { name: 'station', type: 'String' },
    { name: 'n', type: 'Int64' },
    { name: 'date', type: 'Date32' },
    ...VALUES,
  ];
  const print = (format: AnswerFormat, rows: readonly AnswerRow[]) => {
    const printer = new Printer(format, columns);
    for (const row of rows) printer.add(row);
    return printer.finish().toString();
  };
  const rows = [
    { head: ['XAAA', '5', '2024-01-01'], values: '5\t-0' },
    { head: ['XAAB', '0', '2024-01-02'], values: '0\t\\N' },
  ];

  it('leaves out what is absent in JSON, and keeps its place in other formats', () => {
    const objects = [
      '{"station":"XAAA","n":5,"date":"2024-01-01","count":5,"mean_temp_c":-0}',
      '{"station":"XAAB","n":0,"date":"2024-01-02","count":0}',
    ];
    assert.equal(print('json', rows), objects.join());
    assert.equal(print('ndjson', rows), `${objects.join('\n')}\n`);
    const header = '"station","n","date","count","mean_temp_c"\r\n';
    assert.equal(print('csv', rows), `${header}"XAAA",5,"2024-01-01",5,-0\r\n"XAAB",0,"2024-01-02",0,\r\n`);
    assert.equal(print('parquet', rows), 'XAAA\t5\t2024-01-01\t5\t-0\nXAAB\t0\t2024-01-02\t0\t\\N\n');
  });

  it('prints a header or nothing without rows', () => {
    assert.equal(print('json', []), '');
    assert.equal(print('ndjson', []), '');
    assert.equal(print('csv', []), '"station","n","date","count","mean_temp_c"\r\n');
    assert.equal(print('arrow', []), '');
  });

  it('prints more than one part of its memory', () => {
    const many = Array.from({ length: 20_000 }, () => rows[0] as AnswerRow);
    const lines = print('ndjson', many).split('\n');
    assert.equal(lines.length, 20_001);
    assert.equal(new Set(lines.slice(0, -1)).size, 1);
  });
});
