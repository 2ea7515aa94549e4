import type { ClickHouseClient } from '@clickhouse/client';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import type { Config } from '../config.ts';
import { createSourceClient, type FetchEvents } from '../http/fetch-with-retry.ts';
import { type LoadContext, loadContexts } from '../pipeline/load-context.ts';
import { countDays, missingFromAll, type StationDays } from '../plan/missing-days.ts';
import { counts, displaysOn } from '../progress/bars.ts';
import type { ConsoleOutput } from '../progress/console.ts';
import { Progress, type Tally } from '../progress/progress.ts';
import { SOURCE_ADAPTERS, type SourceName } from '../sources/registry.ts';
import type { RateLimit } from '../sources/source.ts';
import type { LoadCommand } from './args/command.ts';
import { backfill } from './backfill.ts';
import { dryRunLines } from './dry-run.ts';

/** The first Ctrl-C finishes the slices in progress, the second stops at once. */
export type Interruption = { readonly afterSlice: AbortSignal; readonly now: AbortSignal };

const LOCAL: RateLimit = { intervalSeconds: 0, parallel: 1 };
/** Stations of the summary's line about missing days. */
const MAX_NAMED_STATIONS = 20;

/**
 * Loads a range from several sources at the same time, each at its own rate, and prints a summary.
 *
 * @returns whether nothing is left: every day that is old enough is done from one source or another, and no slice failed
 */
export async function loadCommand(
  client: ClickHouseClient,
  command: LoadCommand,
  { hosts, userAgent, logFormat }: Config,
  stop: Interruption,
  output: ConsoleOutput,
): Promise<boolean> {
  const failure = new AbortController();
  const signal = AbortSignal.any([stop.now, failure.signal]);
  const createContext = loadContexts(client);
  const contextOf = (source: SourceName, events: FetchEvents): LoadContext => {
    const adapter = SOURCE_ADAPTERS[source](hosts[source]);
    const rateLimit = adapter.kind === 'remote' ? adapter.rateLimit : LOCAL;
    const intervalSeconds = command.intervalSeconds ?? rateLimit.intervalSeconds;
    const sourceClient = createSourceClient({ ...rateLimit, intervalSeconds }, { userAgent, signal, events });
    return createContext(adapter, sourceClient);
  };
  const { displays, say } = displaysOn(process.stderr, logFormat, command.sources);
  const runs = displays.map(({ source, display }) => {
    const progress = new Progress(display);
    return { source, display, progress, context: contextOf(source, progress) };
  });
  if (command.dryRun) {
    for (const { context } of runs) for await (const line of dryRunLines(context, command)) console.log(line);
    return true;
  }
  const work = Promise.all(
    runs.map(({ context, display, progress }) =>
      backfill(context, command, progress, stop.afterSlice)
        .catch((error: unknown) => {
          failure.abort();
          throw error;
        })
        .finally(display.end),
    ),
  );
  const results = await output.during(say, work);
  for (const { source, progress } of runs) printSummary(runs.length > 1 ? `${source}: ` : '', progress.tally);
  if (stop.afterSlice.aborted) return false;

  const missing = missingFromAll(results.map(({ remaining }) => remaining));
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  if (missing.size > 0) console.log(missingDaysText(missing));
  else if (failed > 0) console.log(`${count(failed, 'slice')} failed; run the same command to retry.`);
  return missing.size === 0 && failed === 0;
}

function printSummary(prefix: string, tally: Tally): void {
  console.log(`${prefix}${tally.slicesDone} of ${tally.slices} slices loaded: ${counts(tally)}`);
  if (tally.slicesEmpty > 0)
    console.log(`${prefix}${count(tally.slicesEmpty, 'of the slices has', 'of the slices have')} no reports`);
  for (const [reason, rows] of Object.entries(tally.skipped))
    console.log(`${prefix}${rows} rows skipped: ${reason}`);
}

function missingDaysText(missing: StationDays): string {
  const stations = [...missing.keys()].map((station) =>
    station === ALL_STATIONS ? 'all stations' : station,
  );
  const named = stations.slice(0, MAX_NAMED_STATIONS).join(', ');
  const more = stations.length > MAX_NAMED_STATIONS ? ', ...' : '';
  return `${count(countDays(missing), 'day')} not done (${named}${more}); run the same command to retry.`;
}

function count(n: number, one: string, several = `${one}s`): string {
  return `${n} ${n === 1 ? one : several}`;
}
