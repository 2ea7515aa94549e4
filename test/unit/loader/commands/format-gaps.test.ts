import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Day } from '../../../../clickhouse/model/day.ts';
import type { Gap } from '../../../../loader/checks/gaps.ts';
import { readCommand } from '../../../../loader/commands/args/command.ts';
import { formatGaps } from '../../../../loader/commands/format-gaps.ts';

const run = (firstDay: string, endDay: string) => ({ firstDay: firstDay as Day, endDay: endDay as Day });
const notDone = (station: string, firstDay: string, endDay: string): Gap => ({
  kind: 'not done',
  station,
  source: 'iem',
  ...run(firstDay, endDay),
});

describe('the lines that close gaps', () => {
  const gaps: readonly Gap[] = [
    notDone('KJFK', '2024-01-01', '2024-01-03'),
    notDone('EGLL', '2024-02-01', '2024-02-02'),
    notDone('CYUL', '2024-01-01', '2024-01-03'),
    { kind: 'short', station: '*', source: 'iem', had: 1000, holds: 7, ...run('2024-03-01', '2024-03-02') },
    {
      kind: 'thin',
      station: 'KJFK',
      source: 'ogimet',
      reports: 3,
      usual: 24,
      ...run('2024-04-01', '2024-04-02'),
    },
  ];

  it('say what to run and why, stations that lack the same days together', () => {
    assert.deepEqual(formatGaps(gaps), [
      'npm run load -- --source iem --stations KJFK,CYUL --from 2024-01-01 --to 2024-01-03  # 2 days of each of 2 stations not done',
      'npm run load -- --source iem --stations EGLL --from 2024-02-01 --to 2024-02-02  # 1 day not done',
      'npm run load -- --source iem --stations all --from 2024-03-01 --to 2024-03-02 --again  # 7 reports, of 1000 that the source had',
      'npm run load -- --source ogimet --stations KJFK --from 2024-04-01 --to 2024-04-02 --again  # 3 reports, where the days around have 24',
    ]);
  });

  it('are commands that the loader takes', () => {
    for (const line of formatGaps(gaps)) {
      const mistakes: string[] = [];
      const [command = ''] = line.split('  #');
      readCommand(command.replace('npm run load -- ', '').split(' '), mistakes);
      assert.deepEqual(mistakes, [], line);
    }
  });

  it('do not grow without end', () => {
    const many = Array.from({ length: 120 }, (_, n) =>
      notDone(`Z${String(n).padStart(3, '0')}`, '2024-01-01', '2024-01-02'),
    );
    assert.equal(formatGaps(many).length, 3);
  });
});
