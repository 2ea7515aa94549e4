import type { ClickHouseClient } from '@clickhouse/client';
import { readCommand } from '../../loader/commands/args/command.ts';
import { CircuitBreaker } from '../../loader/http/circuit-breaker.ts';
import { createSourceClient } from '../../loader/http/fetch-with-retry.ts';
import { ExpectedVolume } from '../../loader/pipeline/expected-volume.ts';
import { KeyedMutex } from '../../loader/pipeline/keyed-mutex.ts';
import { MinuteHistogram } from '../../loader/pipeline/report-type.ts';
import { backfill, countDays, type Outcome } from '../../loader/plan/backfill.ts';
import { Progress, type Tally } from '../../loader/progress/progress.ts';
import type { SourceAdapter } from '../../loader/sources/source.ts';
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
  origin: SourceAdapter,
  line: string,
  breaker = new CircuitBreaker(0),
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
    line: { ...createSourceClient({ intervalSeconds: 0, parallel: 1 }, way), breaker },
    turns: new KeyedMutex(),
    neighbours: new ExpectedVolume(client),
    minutes: new MinuteHistogram(),
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
