import type { PolledMetric } from './metrics.ts';

/** Each station sends at most one report a minute. */
const REFRESH_MS = 30_000;
const TIMEOUT_MS = 3000;

/**
 * The age of the newest report as a metric. It reads the archive at most twice a minute and never waits for it: while
 * the archive does not answer, the last known age keeps rising. NaN until the first answer.
 *
 * @param readNewest its observation time, seconds since 1970-01-01T00:00:00Z
 */
export function measureArchiveAge(
  readNewest: (now: Date, signal: AbortSignal) => Promise<number | undefined>,
  addMetric: (metric: PolledMetric) => void,
): void {
  let newest = Number.NaN;
  let readAt = Number.NEGATIVE_INFINITY;
  const refresh = () => {
    readAt = performance.now();
    const read = readNewest(new Date(), AbortSignal.timeout(TIMEOUT_MS));
    read.then(
      (found) => {
        newest = found ?? Number.NaN;
      },
      () => {},
    );
  };
  refresh();
  addMetric({
    kind: 'gauge',
    name: 'history_newest_report_age_seconds',
    help: 'Time since the newest observation in the archive.',
    read: () => {
      if (performance.now() - readAt >= REFRESH_MS) refresh();
      return Date.now() / 1000 - newest;
    },
  });
}
