import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { CycleResult } from './source-follower.ts';

/** What a follower tells Prometheus; the label `source` has one value for each source that is followed. */
export type FollowMetrics = {
  add(source: string, cycle: CycleResult, now: Date): void;
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>;
};

export const METRICS_CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

export function followMetrics(now: () => Date): FollowMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  let newestReport: number | undefined;
  new Gauge({
    name: 'history_newest_report_age_seconds',
    help: 'Time since the newest observation in the archive; absent while it is not known.',
    registers,
    collect() {
      if (newestReport !== undefined) this.set(now().getTime() / 1000 - newestReport);
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
