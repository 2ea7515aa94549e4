import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { Archive } from '../../clickhouse/archive.ts';
import { dayOf } from '../../clickhouse/model/day.ts';
import { required } from '../../clickhouse/program-arguments.ts';
import {
  FROM,
  INTERVAL,
  option,
  parseEvery,
  refuseEarlierDays,
  refuseUnfollowable,
  SOURCE,
  STATIONS,
  STATIONS_FILE,
  stationsFor,
  stationsIn,
} from '../args/options.ts';
import type { ExitReason } from '../exit-codes.ts';
import type { FollowCommand } from '../follow/due-work.ts';
import { archiveOutage, follow } from '../follow/follow.ts';
import { followMetrics, serveFollowMetrics } from '../follow/metrics.ts';
import { SYSTEM_TIMER } from '../http/retry-policy.ts';
import { type LoaderProgram, openedArchive, type ProcessContext } from './command.ts';

export function declareFollow({ add, acceptRun }: LoaderProgram): void {
  add('follow --source NAMES --stations CODES', 'keeps the archive up to date until it is stopped')
    .addOption(SOURCE)
    .addOption(STATIONS)
    .addOption(STATIONS_FILE)
    .addOption(FROM)
    .addOption(INTERVAL)
    .addOption(
      option('--every <time>', 'from the start of a cycle to the start of the next (1h)', parseEvery),
    )
    .action(({ every: everySeconds = 3600, ...options }) => {
      const sources = required('--source NAMES', options.source);
      const stations = stationsFor(sources, stationsIn(options));
      const { from: firstDay, interval: intervalSeconds } = options;
      if (firstDay !== undefined) refuseEarlierDays(firstDay);
      if (firstDay !== undefined && firstDay > dayOf(Date.now() / 1000))
        throw new InvalidArgumentError(`--from must not be in the future; found ${firstDay}`);
      refuseUnfollowable(sources, stations, everySeconds, intervalSeconds);
      const command = { kind: 'follow', sources, stations, everySeconds, firstDay, intervalSeconds } as const;
      acceptRun(command, (context) => {
        context.stop.endsAtOnce();
        return runFollow(command, context, (work) => openedArchive(context, 'loader', work));
      });
    });
}

/**
 * Follows sources until the user stops it.
 *
 * @param open opens the archive; called again while the archive is unreachable at startup
 */
export async function runFollow(
  command: FollowCommand,
  {
    config,
    stop,
    output,
  }: Pick<ProcessContext, 'config' | 'output'> & {
    readonly stop: Pick<ProcessContext['stop'], 'afterSlice'>;
  },
  open: (work: (archive: Archive) => Promise<void>) => Promise<void>,
): Promise<ExitReason> {
  const signal = stop.afterSlice;
  const now = () => new Date();
  const metrics = followMetrics(
    now,
    command.sources,
    config.archive.kind === 'embedded' ? config.archive.dataDir : undefined,
  );
  const { host, metricsPort } = config;
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
