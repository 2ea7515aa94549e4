import type { Archive } from '../../../clickhouse/archive.ts';
import type { DaysByStation } from '../../../clickhouse/coverage/missing-days.ts';
import { ALL_STATIONS } from '../../../clickhouse/coverage/station-listings.ts';
import type { LoadCommand } from '../../args/command.ts';
import type { Config } from '../../config.ts';
import type { Interruption } from '../../interruption.ts';
import { countStationDays } from '../../plan/missing-days.ts';
import { readRemainingDaysOf } from '../../plan/slices.ts';
import { displaysOn } from '../../progress/bars.ts';
import type { ConsoleOutput, Log } from '../../progress/console.ts';
import { formatTally, LoadProgress, type Tally } from '../../progress/load-progress.ts';
import { plural } from '../plural.ts';
import { backfill } from './backfill.ts';
import { dryRunLines } from './dry-run.ts';
import { sourceContexts } from './source-contexts.ts';

/** Stations of the summary's line about missing days. */
const MAX_NAMED_STATIONS = 20;

/**
 * Loads a range from several sources at the same time, each at its own rate, and prints a summary.
 *
 * @returns whether nothing is left: every day that is old enough is done from one source or another, and no slice failed
 */
export async function loadCommand(
  client: Archive,
  command: LoadCommand,
  config: Config,
  stop: Interruption,
  output: ConsoleOutput,
): Promise<boolean> {
  const failure = new AbortController();
  const signal = AbortSignal.any([stop.now, failure.signal]);
  const contextOf = sourceContexts(client, config, command.intervalSeconds, signal);
  const { displays, log } = displaysOn(process.stderr, config.logFormat, command.sources);
  const runs = displays.map(({ source, display }) => {
    const progress = new LoadProgress(display);
    return { source, display, progress, context: contextOf(source, progress) };
  });
  if (command.dryRun) {
    for (const { context } of runs)
      for await (const line of dryRunLines(context, command)) output.print(line);
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
  const results = await output.track(log, work);
  for (const { source, progress } of runs)
    printSummary(output.print, runs.length > 1 ? `${source}: ` : '', progress.tally);
  if (stop.afterSlice.aborted) return false;

  const missing = await readRemainingDaysOf(
    runs.map(({ context }) => context),
    command,
  );
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  if (missing.size > 0) output.print(missingDaysText(missing));
  else if (failed > 0) output.print(`${plural(failed, 'slice')} failed; run the same command to retry.`);
  return missing.size === 0 && failed === 0;
}

function printSummary(print: Log, prefix: string, tally: Tally): void {
  print(`${prefix}${tally.slicesDone} of ${tally.slices} slices loaded: ${formatTally(tally)}`);
  if (tally.slicesEmpty > 0)
    print(`${prefix}${plural(tally.slicesEmpty, 'of the slices has', 'of the slices have')} no reports`);
  for (const [reason, rows] of Object.entries(tally.skipped))
    print(`${prefix}${rows} rows skipped: ${reason}`);
}

function missingDaysText(missing: DaysByStation): string {
  const stations = [...missing.keys()].map((station) =>
    station === ALL_STATIONS ? 'all stations' : station,
  );
  const named = stations.slice(0, MAX_NAMED_STATIONS).join(', ');
  const more = stations.length > MAX_NAMED_STATIONS ? ', ...' : '';
  return `${plural(countStationDays(missing), 'day')} not done (${named}${more}); run the same command to retry.`;
}
