import type { Archive } from '../../../clickhouse/archive.ts';
import { type BackfillResult, backfill } from '../../../loader/commands/load/backfill.ts';
import { createSourceClient } from '../../../loader/http/fetch-with-retry.ts';
import { SourceOutage } from '../../../loader/http/source-outage.ts';
import { loadContexts } from '../../../loader/pipeline/load-context.ts';
import { countStationDays } from '../../../loader/plan/missing-days.ts';
import { readRemainingDaysOf } from '../../../loader/plan/slices.ts';
import { LoadProgress, type Tally } from '../../../loader/progress/load-progress.ts';
import type { SourceAdapter } from '../../../loader/sources/source.ts';
import { NO_LIMIT } from '../archive/archive.ts';
import { readCommand } from './read-command.ts';

export type LoadRun = BackfillResult & {
  readonly daysLeft: number;
  readonly stationsLeft: readonly string[];
  readonly tally: Tally;
  readonly messages: readonly string[];
};

/** Runs one `load` command in this process, against an archive and a source of the test. */
export async function loadWith(
  client: Archive,
  adapter: SourceAdapter,
  args: string,
  outage = new SourceOutage(0),
): Promise<LoadRun> {
  const command = readCommand(args);
  if (command.kind !== 'load') throw new Error(`${args} is not a load`);
  const messages: string[] = [];
  const progress = new LoadProgress({
    begin: () => {},
    advance: () => {},
    log: (text) => messages.push(text),
    end: () => {},
  });
  const options = { userAgent: 'test', signal: NO_LIMIT, events: progress };
  const sourceClient = { ...createSourceClient({ intervalSeconds: 0, parallel: 1 }, options), outage };
  const context = loadContexts(client)(adapter, sourceClient);
  const result = await backfill(context, command, progress, NO_LIMIT);
  const remaining = await readRemainingDaysOf([context], command);
  return {
    ...result,
    daysLeft: countStationDays(remaining),
    stationsLeft: [...remaining.keys()],
    tally: progress.tally,
    messages,
  };
}
