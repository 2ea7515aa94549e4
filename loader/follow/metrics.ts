import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type Archive, canceledBy } from '../../clickhouse/archive.ts';
import { readNewestReport } from '../../clickhouse/coverage/report-counts.ts';
import { readDiskSpace } from '../../clickhouse/disk-space.ts';
import { metricsServer } from '../../clickhouse/metrics-server.ts';
import type { CycleResult } from './source-follower.ts';

/** What a follower tells Prometheus; the label `source` has one value for each source that is followed. */
export type FollowMetrics = ReturnType<typeof followMetrics>;

/** A scrape waits for the archive for at most this time. */
const ARCHIVE_TIMEOUT_MS = 3000;

/** A value that is not known yet has no series, so that no alert sees a 0. Only counts of requests and reports begin at 0. */
export function followMetrics(now: () => Date, sources: readonly string[], dataDir?: string) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  let archive: Archive | undefined;
  addReportAge(registry, now, () => archive);
  addDiskSpace(registry, dataDir);
  const ofSource = { labelNames: ['source'], registers: [registry] };
  const gauge = (name: string, help: string) => new Gauge({ name, help, ...ofSource });
  const counter = (name: string, help: string) => new Counter({ name, help, ...ofSource });
  const daysNotDone = gauge(
    'history_loader_days_not_done',
    'Days that are old enough and not done, of each followed station, or of all stations together.',
  );
  const lastSuccess = gauge(
    'history_loader_last_success_timestamp_seconds',
    'When the last cycle ended in which the source sent everything.',
  );
  const reportsPerSecond = gauge(
    'history_loader_reports_per_second',
    'Reports per second that the last cycle received.',
  );
  const requests = counter('history_loader_requests_total', 'Requests to the source.');
  const reports = counter(
    'history_loader_reports_total',
    'Reports that the archive lacked, or had with a less faithful text.',
  );
  for (const source of sources) for (const each of [requests, reports]) each.inc({ source }, 0);
  return {
    /** From now on the age of the newest report is that of this archive. */
    watch(opened: Archive): void {
      archive = opened;
    },
    add(source: string, cycle: CycleResult, time: Date): void {
      daysNotDone.set({ source }, cycle.daysNotDone);
      if (cycle.isComplete) lastSuccess.set({ source }, time.getTime() / 1000);
      reportsPerSecond.set({ source }, cycle.tally.reports / Math.max(1, cycle.seconds));
      requests.inc({ source }, cycle.tally.requests);
      reports.inc({ source }, cycle.tally.inserted);
    },
    text: () => registry.metrics(),
  };
}

/** The age is read at each scrape, because a cycle can last for hours. If the archive does not answer, the last known age rises. */
function addReportAge(registry: Registry, now: () => Date, archive: () => Archive | undefined): void {
  /** In seconds since 1970-01-01T00:00:00Z. */
  let newestReport: number | undefined;
  const read = async () => {
    const opened = archive();
    return opened && readNewestReport(canceledBy(AbortSignal.timeout(ARCHIVE_TIMEOUT_MS), opened), now());
  };
  new Gauge({
    name: 'history_newest_report_age_seconds',
    help: 'Time since the newest observation in the archive; absent while it is not known.',
    registers: [registry],
    async collect() {
      newestReport = await read().catch(() => newestReport);
      if (newestReport === undefined) this.remove();
      else this.set(now().getTime() / 1000 - newestReport);
    },
  });
}

function addDiskSpace(registry: Registry, dataDir: string | undefined): void {
  for (const what of ['available', 'size'] as const)
    new Gauge({
      name: `history_data_dir_${what}_bytes`,
      help: `Bytes of the disk of DATA_DIR: ${what}; absent where the archive is on a server.`,
      registers: [registry],
      async collect() {
        const space = dataDir === undefined ? undefined : await readDiskSpace(dataDir);
        if (space === undefined) this.remove();
        else this.set(space[what]);
      },
    });
}

export async function serveFollowMetrics(host: string, port: number, metrics: FollowMetrics) {
  const { server, stop } = metricsServer(metrics.text);
  server.listen(port, host);
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`, stop };
}
