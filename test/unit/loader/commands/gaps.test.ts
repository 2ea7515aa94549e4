import assert from 'node:assert/strict';
import type { Day } from '../../../../clickhouse/model/day.ts';
import type { Gap, Gaps } from '../../../../loader/checks/gaps.ts';
import { formatGaps } from '../../../../loader/commands/gaps.ts';
import { readCommand } from '../../../support/loader/run-load.ts';

const run = (firstDay: string, endDay: string) => ({ firstDay: firstDay as Day, endDay: endDay as Day });
const notDone = (station: string, firstDay: string, endDay: string): Gap => ({
  kind: 'not done',
  station,
  source: 'iem',
  ...run(firstDay, endDay),
});

const NONE = { days: 0, stations: 0 };

describe('output of gaps', () => {
  const gaps: readonly Gap[] = [
    notDone('KJFK', '2024-01-01', '2024-01-03'),
    notDone('EGLL', '2024-02-01', '2024-02-02'),
    notDone('CYUL', '2024-01-01', '2024-01-03'),
    {
      kind: 'lost',
      station: '*',
      source: 'iem',
      recorded: 1000,
      stored: 7,
      ...run('2024-03-01', '2024-03-02'),
    },
    {
      kind: 'low count',
      station: 'KJFK',
      source: 'ogimet',
      reports: 3,
      usual: 24,
      ...run('2024-04-01', '2024-04-02'),
    },
  ];

  it('is a command and its reason for each gap; stations that lack the same days share a command', () => {
    assert.deepEqual(formatGaps({ gaps, unfillable: NONE }), [
      'npm run load -- --source iem --stations KJFK,CYUL --from 2024-01-01 --to 2024-01-03  # 2 days not done at each of 2 stations',
      'npm run load -- --source iem --stations EGLL --from 2024-02-01 --to 2024-02-02  # 1 day not done',
      'npm run load -- --source iem --stations all --from 2024-03-01 --to 2024-03-02 --refetch  # 7 of the 1000 reports that the ledger records',
      'npm run load -- --source ogimet --stations KJFK --from 2024-04-01 --to 2024-04-02 --refetch  # 3 reports; the surrounding days have 24',
    ]);
  });

  it('counts the days that no source can fill in one comment (D39)', () => {
    const unfillable: Gaps['unfillable'] = { days: 12, stations: 2 };
    assert.deepEqual(formatGaps({ gaps: [], unfillable }), [
      '# No source can fill 12 more days that are not done, at 2 stations.',
    ]);
  });

  it('says where nothing is missing, as a comment of the shell', () => {
    assert.deepEqual(formatGaps({ gaps: [], unfillable: NONE }), [
      '# No day that a source lists for the stations of the archive is missing.',
    ]);
  });

  it('contains commands that the loader accepts', () => {
    const lines = formatGaps({ gaps, unfillable: NONE });
    assert.equal(lines.length, 4);
    for (const line of lines) {
      const [command = ''] = line.split('  #');
      assert.ok(readCommand(command.trim().replace('npm run load -- ', '')), line);
    }
  });

  it('is one command for many days of a station in a calendar year', () => {
    const days = ['03', '07', '12', '29'].map((day) => `2024-05-${day}`);
    const of = (kind: 'not done' | 'low count', some: readonly string[]): readonly Gap[] =>
      some.map((each) => {
        const range = run(each, `${each.slice(0, 8)}${String(Number(each.slice(8)) + 1).padStart(2, '0')}`);
        const gap = { station: 'KJFK', source: 'iem', ...range };
        return kind === 'not done' ? { kind, ...gap } : { kind, ...gap, reports: 3, usual: 24 };
      });
    const year = '--source iem --stations KJFK --from 2024-05-03 --to 2024-05-30';
    const cases = [
      [of('not done', days), [`${year}  # 4 days not done`]],
      [of('low count', days), [`${year} --refetch  # fewer than half of the usual reports on 4 days`]],
    ] as const;
    for (const [gaps, lines] of cases)
      assert.deepEqual(
        formatGaps({ gaps, unfillable: NONE }).map((line) => line.replace('npm run load -- ', '')),
        lines,
      );
    assert.equal(formatGaps({ gaps: of('not done', days.slice(1)), unfillable: NONE }).length, 3);
  });

  it('names at most 50 stations in a command', () => {
    const many = Array.from({ length: 120 }, (_, n) =>
      notDone(`Z${String(n).padStart(3, '0')}`, '2024-01-01', '2024-01-02'),
    );
    const range = run('2024-01-01', '2024-07-01');
    assert.equal(formatGaps({ gaps: many.map((gap) => ({ ...gap, ...range })), unfillable: NONE }).length, 3);
  });

  it('loads the days of a year for all stations where that takes fewer requests', () => {
    const lacking = (stations: number, firstDay: string, endDay: string) =>
      Array.from({ length: stations }, (_, n) => notDone(`Z${String(n).padStart(3, '0')}`, firstDay, endDay));
    // Two requests a day: the last two days of 2023 for five stations and the first two of 2024 for four.
    const gaps = [...lacking(4, '2023-12-30', '2024-01-03'), notDone('Z004', '2023-12-31', '2024-01-01')];
    const lines = formatGaps({ gaps, unfillable: NONE }).map((line) => line.replace('npm run load -- ', ''));
    assert.deepEqual(lines, [
      '--source iem --stations all --from 2023-12-30 --to 2024-01-01  # 2 days not done at 5 stations',
      '--source iem --stations Z000,Z001,Z002,Z003 --from 2024-01-01 --to 2024-01-03  # 2 days not done at each of 4 stations',
    ]);
    const ogimet = gaps.map((gap) => ({ ...gap, source: 'ogimet' }));
    assert.match(
      formatGaps({ gaps: ogimet, unfillable: NONE })[0] ?? '',
      /Z000,Z001,Z002,Z003 --from 2023-12-30/,
    );
  });
});
