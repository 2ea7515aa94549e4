import type { Archive } from '../../../clickhouse/archive.ts';
import { recordLoad } from '../../../clickhouse/coverage/ledger/ledger.ts';
import type { DaysByStation } from '../../../clickhouse/coverage/station-days.ts';
import { ALL_STATIONS, readListings } from '../../../clickhouse/coverage/station-listings.ts';
import { inGroups } from '../../../clickhouse/group-by.ts';
import type { LoadCommand } from '../../args/command.ts';
import type { Config } from '../../config.ts';
import type { ExitReason } from '../../exit-codes.ts';
import type { FetchEvents } from '../../http/fetch-with-retry.ts';
import type { Interruption } from '../../interruption.ts';
import { sourceContext, startRun } from '../../pipeline/load-context.ts';
import { countStationDays, readRemainingDaysOf } from '../../plan/slices.ts';
import type { ConsoleOutput } from '../../progress/console.ts';
import type { Log } from '../../progress/display.ts';
import { fetchMessages, formatTally, LoadProgress, type Tally } from '../../progress/load-progress.ts';
import type { SourceName } from '../../sources/registry.ts';
import { plural } from '../../wording.ts';
import { backfill } from './backfill.ts';
import { dryRunLines, reasonForNoSlices } from './dry-run.ts';

/** Stations whose listings are read by one statement. */
const STATIONS_PER_READ = 500;
/** Maximum number of stations named in a summary line. */
const MAX_NAMED_STATIONS = 20;

/**
 * Loads a range from several sources at the same time, each at its own rate, and prints a summary.
 *
 * @returns `done` if some source has done every day that is old enough and no slice failed; `invalidArguments` if no
 *   source has any of the stations
 */
export async function loadCommand(
  client: Archive,
  command: LoadCommand,
  config: Config,
  stop: Interruption,
  output: ConsoleOutput,
): Promise<ExitReason> {
  const failure = new AbortController();
  const signal = AbortSignal.any([stop.now, failure.signal]);
  const run = startRun(client);
  const contextOf = (source: SourceName, events: FetchEvents) =>
    sourceContext(run, source, { ...config, intervalSeconds: command.intervalSeconds, signal, events });
  if (command.dryRun) {
    for (const source of command.sources)
      for await (const line of dryRunLines(contextOf(source, fetchMessages(output.log)), command))
        output.print(line);
    return 'done';
  }
  const isOne = command.sources.length === 1;
  const runs = await output.showProgress((screen) =>
    Promise.all(
      command.sources.map(async (source) => {
        const progress = new LoadProgress(screen.display(isOne ? undefined : source));
        const context = contextOf(source, progress.events);
        try {
          const failed = await backfill(context, command, progress, stop.afterSlice);
          return { source, progress, context, failed };
        } catch (error) {
          failure.abort();
          throw error;
        }
      }),
    ),
  );
  const failed = runs.reduce((sum, run) => sum + run.failed, 0);
  for (const { source, progress, context } of runs) {
    const prefix = isOne ? '' : `${source}: `;
    if (progress.tally.slices === 0 && failed === 0 && !stop.afterSlice.aborted)
      output.print(`${prefix}nothing to load: ${await reasonForNoSlices(context, command)}`);
    else printSummary(output.print, prefix, progress.tally);
  }
  // A source that failed or was not queried may list them.
  const isWhole = failed === 0 && !stop.afterSlice.aborted;
  const unlisted = isWhole ? await unlistedStations(client, command.stations, stop.now) : [];
  const stations = command.stations.filter((station) => !unlisted.includes(station));
  if (stations.length > 0 && !stop.now.aborted)
    for (const { source, progress } of runs) {
      const { firstDay, endDay } = command;
      const record = { source, stations, firstDay, endDay, ...progress.record };
      await recordLoad(client, record, new Date(), stop.now);
    }
  if (stop.afterSlice.aborted) return 'daysLeft';

  const missing = await readRemainingDaysOf(
    runs.map(({ context }) => context),
    command,
  );
  if (unlisted.length > 0) output.print(unlistedText(unlisted, command.sources));
  const retry = new Map([...missing].filter(([station]) => !unlisted.includes(station)));
  if (retry.size > 0) output.print(missingDaysText(retry));
  else if (failed > 0) output.print(`${plural(failed, 'slice')} failed; run the same command to retry.`);
  if (stations.length === 0) return 'invalidArguments';
  return missing.size === 0 && failed === 0 ? 'done' : 'daysLeft';
}

/** The command's stations that no source lists or has sent a report for. */
async function unlistedStations(
  client: Archive,
  stations: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const listed = new Set([ALL_STATIONS]);
  for (const some of inGroups(stations, STATIONS_PER_READ))
    for (const { station } of await readListings(client, { stations: some }, signal)) listed.add(station);
  return stations.filter((station) => !listed.has(station));
}

function unlistedText(stations: readonly string[], sources: readonly string[]): string {
  const [is, them] = stations.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return `${namesOf(stations)} ${is} not listed by any source, and ${sources.join(', ')} sent no report of ${them}: check the spelling. Nothing of ${them} is kept.`;
}

function printSummary(print: Log, prefix: string, tally: Tally): void {
  print(`${prefix}${tally.slicesDone} of ${tally.slices} slices loaded: ${formatTally(tally)}`);
  if (tally.slicesEmpty > 0)
    print(`${prefix}${plural(tally.slicesEmpty, 'of the slices has', 'of the slices have')} no reports`);
  for (const [reason, rows] of Object.entries(tally.skipped))
    print(`${prefix}${rows} rows skipped: ${reason}`);
}

function missingDaysText(missing: DaysByStation): string {
  return `${plural(countStationDays(missing), 'day')} not done (${namesOf([...missing.keys()])}); run the same command to retry.`;
}

function namesOf(stations: readonly string[]): string {
  const names = stations.map((station) => (station === ALL_STATIONS ? 'all stations' : station));
  return `${names.slice(0, MAX_NAMED_STATIONS).join(', ')}${names.length > MAX_NAMED_STATIONS ? ', ...' : ''}`;
}
