import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { FollowCommand } from '../args/command.ts';
import type { CycleResult } from './source-follower.ts';

/** What `follow` exports to Prometheus; the label `source` has one value for each source that is followed. */
export type FollowMetrics = {
  /** @param time of the newest report of the archive, seconds since 1970-01-01T00:00:00Z */
  newestReport(time: number | undefined): void;
  add(source: string, cycle: CycleResult, now: Date): void;
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>;
};

export const METRICS_CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

export function followMetrics(
  now: () => Date,
  { sources, everySeconds }: Pick<FollowCommand, 'sources' | 'everySeconds'>,
): FollowMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  let newestReport: number | undefined;
  new Gauge({
    name: 'history_newest_report_age_seconds',
    help: 'Time since the newest observation in the archive; absent while it is not known.',
    registers,
    collect() {
      // Without a value prom-client exports 0, which would say that a report has just arrived.
      if (newestReport === undefined) this.remove();
      else this.set(now().getTime() / 1000 - newestReport);
    },
  });
  const bySource = (name: `history_loader_${string}`, help: string) =>
    new Gauge({ name, help, labelNames: ['source'], registers });
  const daysNotDone = bySource(
    'history_loader_days_not_done',
    'Days that are old enough and not done, of each followed station, or of all stations together.',
  );
  const lastSuccess = bySource(
    'history_loader_last_success_timestamp_seconds',
    'When the last cycle ended in which the source sent everything.',
  );
  const started = bySource(
    'history_loader_started_timestamp_seconds',
    'When this program began to follow the source.',
  );
  const interval = bySource(
    'history_loader_interval_seconds',
    'Time from the start of a cycle to the start of the next.',
  );
  for (const source of sources) {
    started.set({ source }, now().getTime() / 1000);
    interval.set({ source }, everySeconds);
  }
  const reportsPerSecond = bySource(
    'history_loader_reports_per_second',
    'Reports a second that the last cycle received.',
  );
  const requests = new Counter({
    name: 'history_loader_requests_total',
    help: 'Requests to the source.',
    labelNames: ['source'],
    registers,
  });
  const reports = new Counter({
    name: 'history_loader_reports_total',
    help: 'Reports that the archive lacked, or had with a less faithful text.',
    labelNames: ['source'],
    registers,
  });
  return {
    newestReport(time) {
      newestReport = time;
    },
    add(source, cycle, time) {
      newestReport = cycle.newestReport;
      daysNotDone.set({ source }, cycle.daysNotDone);
      if (cycle.isComplete) lastSuccess.set({ source }, time.getTime() / 1000);
      reportsPerSecond.set({ source }, cycle.tally.reports / Math.max(1, cycle.seconds));
      requests.inc({ source }, cycle.tally.requests);
      reports.inc({ source }, cycle.tally.inserted);
    },
    text: () => registry.metrics(),
  };
}
