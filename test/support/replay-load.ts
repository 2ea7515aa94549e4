import type { ClickHouseClient } from '@clickhouse/client';
import { backfill, type Outcome } from '../../loader/backfill.ts';
import { readCommand } from '../../loader/command.ts';
import { Pace } from '../../loader/pace.ts';
import { Progress, type Tally } from '../../loader/progress.ts';
import type { Origin } from '../../loader/sources/origin.ts';
import { Minutes } from '../../loader/type.ts';
import { NO_LIMIT } from './archive.ts';

export type LoadRun = Outcome & { readonly tally: Tally; readonly said: readonly string[] };

/** Runs one `load` command as the program would, against an archive and a source that the test has. */
export async function loadWith(client: ClickHouseClient, origin: Origin, line: string): Promise<LoadRun> {
  const mistakes: string[] = [];
  const command = readCommand(line.split(' '), mistakes);
  if (command?.kind !== 'load' || mistakes.length > 0) throw new Error(`no load: ${mistakes.join('; ')}`);
  const said: string[] = [];
  const progress = new Progress({
    begin: () => {},
    advance: () => {},
    say: (text) => said.push(text),
    end: () => {},
  });
  const way = {
    pace: new Pace(0),
    intervalSeconds: 0,
    userAgent: 'test',
    trouble: { faults: 0 },
    signal: NO_LIMIT,
    watch: progress,
  };
  const site = { client, origin, line: way, minutes: new Minutes(), listed: new Set<string>() };
  const outcome = await backfill(site, command, progress, NO_LIMIT);
  return { ...outcome, tally: progress.tally, said };
}
