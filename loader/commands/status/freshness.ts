import type { LastLoad } from '../../../clickhouse/coverage/ledger/loads.ts';
import { formatDuration, formatTime, plural } from '../../wording.ts';

export type Freshness = {
  /** Seconds since 1970-01-01T00:00:00Z; `undefined` if the archive has no reports. */
  readonly newestReport: number | undefined;
  readonly loads: readonly LastLoad[];
};

/** A line for the newest report, and one for each source that was loaded from. */
export function freshnessLines({ newestReport, loads }: Freshness, now: Date): readonly string[] {
  const ago = (time: number) => `${formatDuration(Math.max(0, now.getTime() / 1000 - time))} ago`;
  return [
    ...(newestReport === undefined
      ? []
      : [`newest report: ${formatTime(newestReport)}, ${ago(newestReport)}`]),
    ...loads.map(({ source, loadedAt, inserted, failedAt, failure }) => {
      const last =
        loadedAt === 0
          ? 'nothing was loaded'
          : `last load ${formatTime(loadedAt)}, ${ago(loadedAt)}, ${plural(inserted, 'new report')}`;
      return `${source}: ${last}${failedAt === 0 ? '' : `; last failure ${formatTime(failedAt)}, ${ago(failedAt)}: ${failure}`}`;
    }),
  ];
}

/** The same for programs. Unknown values are absent. */
export function freshnessFields({ newestReport, loads }: Freshness) {
  return {
    newestReport: newestReport === undefined ? undefined : formatTime(newestReport),
    sources: loads.map(({ source, loadedAt, inserted, failedAt, failure }) => ({
      source,
      ...(loadedAt > 0 && { lastLoad: { endedAt: formatTime(loadedAt), newReports: inserted } }),
      ...(failedAt > 0 && { lastFailure: { at: formatTime(failedAt), reason: failure } }),
    })),
  };
}
