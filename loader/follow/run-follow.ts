import type { Archive } from '../../clickhouse/archive.ts';
import type { FollowCommand } from '../args/command.ts';
import type { Config } from '../config.ts';
import type { ExitReason } from '../exit-codes.ts';
import type { ConsoleOutput } from '../progress/console.ts';
import { ArchiveOutage, archiveFailure } from './archive-outages.ts';
import { SYSTEM_CLOCK } from './clock.ts';
import { follow, nextTry } from './follow.ts';
import { followMetrics } from './metrics.ts';
import { type MetricsServer, startMetricsServer } from './metrics-server.ts';

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
