import { Option } from '@commander-js/extra-typings';
import { type Archive, canceledBy } from '../../../clickhouse/archive.ts';
import { recordLoad } from '../../../clickhouse/coverage/ledger/ledger.ts';
import { dueDays } from '../../../clickhouse/coverage/rules.ts';
import { ALL_STATIONS, readListings } from '../../../clickhouse/coverage/station-listings.ts';
import { addDays, clip, dayOf, daySetOf } from '../../../clickhouse/model/day.ts';
import { required } from '../../../clickhouse/program-arguments.ts';
import { OPTIONS, refuseWrongDays, stationsFor, stationsOf, withScope } from '../../args/options.ts';
import type { ExitReason } from '../../exit-codes.ts';
import { checkSourceClock } from '../../http/fetch-once.ts';
import type { FetchEvents } from '../../http/fetch-with-retry.ts';
import { type LoadContext, sourceContext, startRun } from '../../pipeline/load-slice.ts';
import {
  chunksOf,
  countStationDays,
  type LoadCommand,
  planSlices,
  readRemainingDaysOf,
} from '../../plan/slices.ts';
import type { LogLine } from '../../progress/display.ts';
import { formatTally, type LoadProgress, loadProgress, type Tally } from '../../progress/load-progress.ts';
import type { SourceName } from '../../sources/registry.ts';
import type { Slice } from '../../sources/source.ts';
import { fetchMessages, formatDuration, plural } from '../../wording.ts';
import type { CommandContext, LoaderProgram } from '../command.ts';
import { backfill } from './backfill.ts';

export function declareLoad({ add, accept }: LoaderProgram): void {
  const usage = '--source NAMES --stations CODES --from DAY --to DAY';
  withScope(add(usage, 'loads reports from one or more sources').addOption(OPTIONS.source))
    .addOption(OPTIONS.interval)
    .addOption(
      new Option(
        '--order <order>',
        'load the newest or the oldest year of all stations first, instead of station by station',
      ).choices(['newest', 'oldest']),
    )
    .option('--refetch', 'also request days that are done')
    .option('-n, --dry-run', 'print the slices and the number of requests, and send no request')
    .action((options) => {
      const { interval: intervalSeconds, order, refetch = false, dryRun = false } = options;
      const sources = required('--source NAMES', options.source);
      const stations = stationsFor(sources, stationsOf([], options));
      const firstDay = required('--from DAY', options.from);
      const endDay = required('--to DAY', options.to);
      refuseWrongDays(firstDay, endDay);
      const asked = { sources, stations, firstDay, endDay };
      const command = { kind: 'load', ...asked, intervalSeconds, order, refetch, dryRun } as const;
      accept(command, loadCommand, { needsTime: true });
    });
}

const MAX_NAMED_STATIONS = 20;

/**
 * Loads a range from several sources at the same time, each at its own rate, and prints a summary.
 *
 * @returns `done` if some source has done every day that is old enough and no slice failed; `invalidArguments` if no
 *   source has any of the stations
 */
async function loadCommand(context: CommandContext, command: LoadCommand): Promise<ExitReason> {
  const { archive, config, stop, output } = context;
  const failure = new AbortController();
  const signal = AbortSignal.any([stop.now, failure.signal]);
  const run = startRun(canceledBy(signal, archive));
  const contextOf = (source: SourceName, events: FetchEvents) =>
    sourceContext(run, source, { ...config, intervalSeconds: command.intervalSeconds, signal, events });
  if (command.dryRun) {
    for (const source of command.sources) {
      const context = contextOf(source, fetchMessages(output.log));
      for (const line of await dryRunLines(context, command)) output.print(line);
    }
    return 'done';
  }
  const runs = await output.showProgress((display) =>
    Promise.all(
      command.sources.map(async (source) => {
        const progress = loadProgress(display(command.sources.length === 1 ? undefined : source));
        const context = contextOf(source, progress.events);
        try {
          const { adapter, sourceClient } = context;
          if (adapter.kind === 'remote') await checkSourceClock(sourceClient, adapter.host);
          const failed = await backfill(context, command, { progress, stop: stop.afterSlice });
          return { progress, context, failed };
        } catch (error) {
          failure.abort();
          throw error;
        }
      }),
    ),
  );
  await run.writer.close();
  return finishLoad(context, command, runs);
}

async function finishLoad(
  { archive, stop, output }: CommandContext,
  command: LoadCommand,
  /** `failed`: slices that failed, or were not requested because the source was unavailable. */
  runs: readonly { progress: LoadProgress; context: LoadContext; failed: number }[],
): Promise<ExitReason> {
  const failed = runs.reduce((sum, run) => sum + run.failed, 0);
  for (const { progress, context } of runs) {
    const print = (text: string) => output.print(runs.length === 1 ? text : `${context.source}: ${text}`);
    if (progress.tally.slices === 0 && failed === 0 && !stop.afterSlice.aborted)
      print(`nothing to load: ${await whyNoSlices(context, command)}`);
    else printSummary(print, progress.tally);
  }
  // A source that failed or was not queried may list them.
  const isWhole = failed === 0 && !stop.afterSlice.aborted;
  const unlisted = isWhole ? await unlistedStations(archive, command.stations) : [];
  const stations = command.stations.filter((station) => !unlisted.includes(station));
  if (stations.length > 0 && !stop.now.aborted)
    for (const { progress, context } of runs) {
      const { firstDay, endDay } = command;
      const days = { source: context.source, stations, firstDay, endDay };
      await recordLoad(archive, { ...days, ...progress.record() }, new Date());
    }
  if (stop.afterSlice.aborted) return 'daysLeft';

  const contexts = runs.map(({ context }) => context);
  const missing = await readRemainingDaysOf(contexts, command);
  if (unlisted.length > 0) output.print(unlistedText(unlisted, command.sources));
  const retry = new Map([...missing].filter(([station]) => !unlisted.includes(station)));
  const days = plural(countStationDays(retry), 'day');
  if (retry.size > 0)
    output.print(`${days} not done (${namesOf([...retry.keys()])}); run the same command to retry.`);
  else if (failed > 0) output.print(`${plural(failed, 'slice')} failed; run the same command to retry.`);
  if (stations.length === 0) return 'invalidArguments';
  return missing.size === 0 && failed === 0 ? 'done' : 'daysLeft';
}

/** The command's stations that no source lists or has sent a report for. */
async function unlistedStations(archive: Archive, stations: readonly string[]): Promise<readonly string[]> {
  const listings = await readListings(archive, { stations });
  const listed = new Set([ALL_STATIONS, ...listings.map(({ station }) => station)]);
  return stations.filter((station) => !listed.has(station));
}

function unlistedText(stations: readonly string[], sources: readonly string[]): string {
  const [is, them] = stations.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return `${namesOf(stations)} ${is} not listed by any source, and ${sources.join(', ')} sent no report of ${them}: check the spelling. Nothing of ${them} is kept.`;
}

function printSummary(print: LogLine, tally: Tally): void {
  const empty = tally.slicesEmpty;
  print(`${tally.slicesDone} of ${tally.slices} slices loaded: ${formatTally(tally)}`);
  if (empty > 0) print(`${plural(empty, 'of the slices has', 'of the slices have')} no reports`);
  for (const [reason, rows] of Object.entries(tally.skipped))
    print(`${plural(rows, 'row')} skipped: ${reason}`);
}

function namesOf(stations: readonly string[]): string {
  const names = stations.map((station) => (station === ALL_STATIONS ? 'all stations' : station));
  return `${names.slice(0, MAX_NAMED_STATIONS).join(', ')}${names.length > MAX_NAMED_STATIONS ? ', ...' : ''}`;
}

/** The slices of a run, successive ones on one line, and the least number of requests and time. Sends no request. */
async function dryRunLines(context: LoadContext, command: LoadCommand): Promise<readonly string[]> {
  const { adapter, source, sourceClient } = context;
  const ranges: (Slice & { readonly slices: number })[] = [];
  let requests = 0;
  for (const chunk of chunksOf(context, command))
    for (const slice of await planSlices(context, chunk, command)) {
      // If the station list must be fetched first, one file per slice is assumed.
      requests += adapter.stationList !== undefined ? 1 : adapter.requests(slice).length;
      const last = ranges.at(-1);
      if (last?.station === slice.station && last.endDay === slice.firstDay)
        ranges[ranges.length - 1] = { ...last, endDay: slice.endDay, slices: last.slices + 1 };
      else ranges.push({ ...slice, slices: 1 });
    }
  if (ranges.length === 0) return [`nothing to load: ${await whyNoSlices(context, command)}`];
  const lines = ranges.map(({ station, firstDay, endDay, slices }) => {
    const count = slices === 1 ? '' : `, ${slices} slices`;
    return `${source} ${station === ALL_STATIONS ? 'all' : station} ${firstDay} to ${endDay}${count}`;
  });
  const slices = ranges.reduce((sum, range) => sum + range.slices, 0);
  const { intervalSeconds } = sourceClient;
  const pace = `${formatDuration(requests * intervalSeconds)} at ${intervalSeconds} s between requests`;
  return [...lines, `${plural(slices, 'slice')}, at least ${plural(requests, 'request')}: ${pace}`];
}

/** Why the plan of a command has no slice for this source. */
async function whyNoSlices(context: LoadContext, command: LoadCommand): Promise<string> {
  const { adapter, archive, source, now } = context;
  if (command.firstDay > dayOf(now().getTime() / 1000)) return `${command.firstDay} has not begun`;
  const range = clip(command, adapter);
  if (range.firstDay >= range.endDay)
    return adapter.endDay !== undefined && command.firstDay >= adapter.endDay
      ? `the last day of ${source} is ${addDays(adapter.endDay, -1)}`
      : `the first day of ${source} is ${range.firstDay}`;
  for (const chunk of chunksOf(context, command)) {
    const listings = await readListings(archive, { source, stations: chunk.stations });
    const ofStation = (station: string) => listings.filter((listing) => listing.station === station);
    if (chunk.stations.some((station) => dueDays(daySetOf(chunk), ofStation(station)).length > 0))
      return 'every day is done; --refetch requests done days too';
    const [listing] = listings;
    if (command.stations.length > 1 || listing === undefined) continue;
    const { station, firstDay, lastDay } = listing;
    const from = firstDay === undefined ? '' : `from ${firstDay} `;
    return `${source} lists ${station} ${from}${lastDay === undefined ? 'on' : `to ${lastDay}`}`;
  }
  return `the days are outside the periods of record that ${source} states for ${plural(command.stations.length, 'station')}`;
}
