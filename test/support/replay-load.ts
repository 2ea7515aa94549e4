import type { ClickHouseClient } from '@clickhouse/client';
import { backfill, countDays, type Outcome } from '../../loader/backfill.ts';
import { Breaker } from '../../loader/breaker.ts';
import { readCommand } from '../../loader/command.ts';
import { lineTo } from '../../loader/fetch.ts';
import { Neighbours } from '../../loader/neighbours.ts';
import { Progress, type Tally } from '../../loader/progress.ts';
import type { Origin } from '../../loader/sources/origin.ts';
import { Turns } from '../../loader/turns.ts';
import { Minutes } from '../../loader/type.ts';
import { NO_LIMIT } from './archive.ts';

export type LoadRun = Outcome & {
  readonly daysLeft: number;
  readonly stationsLeft: readonly string[];
  readonly tally: Tally;
  readonly said: readonly string[];
};

/** Runs one `load` command as the program would, against an archive and a source that the test has. */
export async function loadWith(
  client: ClickHouseClient,
  origin: Origin,
  line: string,
  breaker = new Breaker(0),
): Promise<LoadRun> {
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
  const way = { userAgent: 'test', signal: NO_LIMIT, watch: progress };
  const site = {
    client,
    origin,
    line: { ...lineTo({ intervalSeconds: 0, parallel: 1 }, way), breaker },
    turns: new Turns(),
    neighbours: new Neighbours(client),
    minutes: new Minutes(),
    listed: new Set<string>(),
  };
  const outcome = await backfill(site, command, progress, NO_LIMIT);
  const { left } = outcome;
  return {
    ...outcome,
    daysLeft: countDays(left),
    stationsLeft: [...left.keys()],
    tally: progress.tally,
    said,
  };
}
