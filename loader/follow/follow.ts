import type { Archive } from '../../clickhouse/archive.ts';
import type { FollowCommand } from '../args/command.ts';
import type { Config } from '../config.ts';
import type { ExitReason } from '../exit-codes.ts';
import { sourceContexts } from '../pipeline/load-context.ts';
import type { ConsoleOutput } from '../progress/console.ts';
import { formatTally } from '../progress/load-progress.ts';
import type { SourceName } from '../sources/registry.ts';
import { formatDuration, formatTime, plural } from '../wording.ts';
import { ArchiveOutage, announceOutages, archiveFailure } from './archive-outages.ts';
import { type Clock, SYSTEM_CLOCK } from './clock.ts';
import { firstDayOf } from './due-work.ts';
import { type FollowMetrics, followMetrics, type MetricsServer, startMetricsServer } from './metrics.ts';
import { type CycleResult, SourceFollower } from './source-follower.ts';

/**
 * Follows sources until `signal` aborts.
 *
 * @param withArchive opens the archive; called again while the archive is unreachable at startup
 */
export async function runFollow(
  command: FollowCommand,
  config: Config,
  withArchive: (work: (client: Archive) => Promise<void>) => Promise<void>,
  signal: AbortSignal,
  output: ConsoleOutput,
): Promise<ExitReason> {
  const clock = SYSTEM_CLOCK;
  const metrics = followMetrics(clock.now);
  const { host, metricsPort } = config;
  const outage = new ArchiveOutage(output.log, clock.now);
  let server: MetricsServer | undefined;
  try {
    server = metricsPort === undefined ? undefined : await startMetricsServer(host, metricsPort, metrics);
  } catch (error) {
    output.log(`LOADER_METRICS_PORT ${metricsPort} of ${host} cannot be used: ${(error as Error).message}`);
    return 'invalidArguments';
  }
  if (server !== undefined) output.log(`metrics on ${server.url}/metrics`);
  try {
    while (!signal.aborted)
      try {
        await withArchive((client) => {
          outage.ended();
          return follow(client, command, config, { clock, output, metrics, signal });
        });
      } catch (error) {
        if (signal.aborted) break;
        const reason = archiveFailure(error);
        if (reason === undefined) throw error;
        outage.failed(reason);
        await clock.waitUntil(nextTry(clock), signal).catch(() => {});
      }
  } finally {
    await server?.stop();
  }
  return 'interrupted';
}

/** From a failure of the archive to the next attempt. */
const ARCHIVE_PAUSE_SECONDS = 30;

type FollowOptions = {
  readonly clock: Clock;
  readonly output: Pick<ConsoleOutput, 'print' | 'log'>;
  readonly metrics: FollowMetrics;
  readonly signal: AbortSignal;
};

/**
 * Keeps the archive up to date (D51) until `signal` aborts: each source in its own cycles, so an unresponsive one
 * delays no other. It waits out failures of sources and of the archive; any other error ends it.
 */
export async function follow(
  client: Archive,
  command: FollowCommand,
  config: Pick<Config, 'hosts' | 'userAgent'>,
  options: FollowOptions,
): Promise<void> {
  const failure = new AbortController();
  const signal = AbortSignal.any([options.signal, failure.signal]);
  const { now, timer } = options.clock;
  const outage = new ArchiveOutage(options.output.log, now);
  const announced = announceOutages(client, outage);
  const followOne = async (source: SourceName) => {
    const log = (line: string) => options.output.log(`${source}: ${line}`);
    const createContexts = () =>
      sourceContexts(announced, config, command.intervalSeconds, signal, { now, timer });
    const follower = new SourceFollower(
      command,
      source,
      (events) => createContexts()(source, events),
      options.clock,
      log,
    );
    await runCycles(client, command, source, follower, outage, { ...options, signal });
  };
  const cycles = command.sources.map((source) =>
    followOne(source).catch((error: unknown) => {
      if (options.signal.aborted) return;
      failure.abort(error);
      throw error;
    }),
  );
  await Promise.all(cycles);
}

async function runCycles(
  client: Archive,
  command: FollowCommand,
  source: SourceName,
  follower: SourceFollower,
  outage: ArchiveOutage,
  { clock, output, metrics, signal }: FollowOptions,
): Promise<never> {
  output.log(
    `${source}: following; the first cycle loads what the days since ${firstDayOf(command, clock.now())} lack`,
  );
  for (;;) {
    const start = clock.now();
    const next = new Date(start.getTime() + command.everySeconds * 1000);
    try {
      await client.ping(signal);
      const result = await follower.cycle(next);
      outage.ended();
      metrics.add(source, result, clock.now());
      output.print(cycleLine(source, result, clock.now(), next));
      await clock.waitUntil(next, signal);
    } catch (error) {
      const reason = archiveFailure(error);
      if (signal.aborted || reason === undefined) throw error;
      outage.failed(reason);
      await clock.waitUntil(nextTry(clock), signal);
    }
  }
}

/** When to try a failed archive again. */
function nextTry(clock: Clock): Date {
  return new Date(clock.now().getTime() + ARCHIVE_PAUSE_SECONDS * 1000);
}

function cycleLine(source: SourceName, result: CycleResult, now: Date, next: Date): string {
  const { tally, isComplete, daysNotDone, newestReport } = result;
  const age =
    newestReport === undefined
      ? 'no reports in the archive'
      : `newest report ${formatDuration(now.getTime() / 1000 - newestReport)} old`;
  const incomplete = isComplete ? '' : 'the source did not send everything; ';
  return `${formatTime(now.getTime() / 1000)} ${source}: ${formatTally(tally)}; ${age}; ${plural(daysNotDone, 'day')} not done; ${incomplete}next cycle at ${formatTime(next.getTime() / 1000)}`;
}
