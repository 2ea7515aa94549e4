import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { Archive } from '../../clickhouse/archive.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { addDays, dayOf } from '../../clickhouse/model/day.ts';
import { required } from '../../clickhouse/program-arguments.ts';
import { OPTIONS, option, refuseWrongDays, stationsFor, stationsOf, timeWithin } from '../args/options.ts';
import type { ExitReason } from '../exit-codes.ts';
import { archiveOutage, follow } from '../follow/follow.ts';
import type { FollowCommand } from '../follow/source-follower.ts';
import { SYSTEM_TIMER } from '../http/retry-policy.ts';
import { SOURCE_ADAPTERS, SOURCE_NAMES, type SourceName } from '../sources/registry.ts';
import type { RemoteSource } from '../sources/source.ts';
import { type LoaderProgram, openedArchive, type ProcessContext } from './command.ts';

const EVERY = option(
  '--every <time>',
  'from the start of a cycle to the start of the next (1h)',
  timeWithin(60, 12 * 3600, 'from 1m to 12h, like 30m or 1h'),
);

export function declareFollow({ add, acceptRun }: LoaderProgram): void {
  add('follow --source NAMES --stations CODES', 'keeps the archive up to date until it is stopped')
    .addOption(OPTIONS.source)
    .addOption(OPTIONS.stations)
    .addOption(OPTIONS.stationsFile)
    .addOption(OPTIONS.from)
    .addOption(OPTIONS.interval)
    .addOption(EVERY)
    .action(({ every: everySeconds = 3600, ...options }) => {
      const sources = required('--source NAMES', options.source);
      const stations = stationsFor(sources, stationsOf([], options));
      const { from: firstDay, interval: intervalSeconds } = options;
      if (firstDay !== undefined) refuseWrongDays(firstDay);
      if (firstDay !== undefined && firstDay > dayOf(Date.now() / 1000))
        throw new InvalidArgumentError(`--from must not be in the future; found ${firstDay}`);
      const command = { kind: 'follow', sources, stations, everySeconds, firstDay, intervalSeconds } as const;
      refuseUnfollowable(command);
      acceptRun(command, (context) =>
        runFollow(command, context, (work) => openedArchive(context, 'loader', work)),
      );
    });
}

/** Rejects sources that have no new reports, and cycles shorter than the rate limit of a source allows. */
function refuseUnfollowable({ sources, stations, everySeconds, intervalSeconds }: FollowCommand): void {
  for (const source of sources) {
    const adapter = followable(source);
    if (adapter === undefined)
      throw new InvalidArgumentError(
        `--source ${source} has no new reports: write ${SOURCE_NAMES.filter(followable).join(' or ')}`,
      );
    const interval = intervalSeconds ?? adapter.rateLimit.intervalSeconds;
    const requests = requestsOfCycle(adapter, stations);
    if (requests * interval <= everySeconds) continue;
    const of = stations.includes(ALL_STATIONS) ? 'all stations' : `${stations.length} stations`;
    const minutes = Math.ceil((requests * interval) / 60);
    throw new InvalidArgumentError(
      `--every is too short: a cycle of ${of} sends ${requests} requests to ${source}, ${interval} s apart; ` +
        `write --every ${minutes}m or longer, or fewer stations`,
    );
  }
}

/** A source that still collects reports. */
function followable(source: SourceName): RemoteSource | undefined {
  const adapter = SOURCE_ADAPTERS[source]();
  // The newest reports of files that grow are days old.
  const hasNewReports = adapter.endDay === undefined && adapter.growsForDays === undefined;
  return adapter.kind === 'remote' && hasNewReports ? adapter : undefined;
}

/** A cycle requests the newest reports and usually one whole day. */
function requestsOfCycle({ source, requests }: RemoteSource, stations: readonly string[]): number {
  const now = Math.floor(Date.now() / 1000);
  const day = { firstDay: dayOf(now), endDay: addDays(dayOf(now), 1) };
  const window = { from: now - 3 * 3600, to: now };
  return stations.reduce((sum, station) => {
    const slice = { source, station, ...day };
    return sum + requests(slice).length + requests({ ...slice, window }).length;
  }, 0);
}

/**
 * Follows sources until the user stops it.
 *
 * @param open opens the archive; called again while the archive is unreachable at startup
 */
export async function runFollow(
  command: FollowCommand,
  { config, stop, output }: ProcessContext,
  open: (work: (archive: Archive) => Promise<void>) => Promise<void>,
): Promise<ExitReason> {
  const signal = stop.afterSlice;
  const now = () => new Date();
  // Imported here, because its packages take 0.14 s of CPU time, which other commands need not spend.
  const { followMetrics, serveFollowMetrics } = await import('../follow/metrics.ts');
  const { archive: location, host, metricsPort } = config;
  const dataDir = location.kind === 'embedded' ? location.dataDir : undefined;
  const metrics = followMetrics(now, command.sources, dataDir);
  let server: Awaited<ReturnType<typeof serveFollowMetrics>> | undefined;
  try {
    server = metricsPort === undefined ? undefined : await serveFollowMetrics(host, metricsPort, metrics);
  } catch (error) {
    output.log(`LOADER_METRICS_PORT ${metricsPort} of ${host} cannot be used: ${(error as Error).message}`);
    return 'invalidArguments';
  }
  if (server !== undefined) output.log(`metrics on ${server.url}/metrics`);
  const outage = archiveOutage(output.log, SYSTEM_TIMER);
  const work = (archive: Archive) => {
    outage.ended();
    return follow(archive, command, config, { now, timer: SYSTEM_TIMER, output, metrics, signal });
  };
  try {
    while (!signal.aborted) await open(work).catch((error: unknown) => outage.waitAfter(error, signal));
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await server?.stop();
  }
  return 'interrupted';
}
