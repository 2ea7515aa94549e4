import type { Archive } from '../../../clickhouse/archive.ts';
import type { ObservedHour } from '../../../clickhouse/coverage/ledger/ledger.ts';
import type { Source } from '../../../clickhouse/model/report.ts';
import { type Revision, sendRevisions } from '../../../clickhouse/observations/insert.ts';
import { readStoredReports, type StationWindow } from '../../../clickhouse/observations/stored-reports.ts';
import type { SkipCounts } from '../../sources/skip-reasons.ts';
import type { NormalizedReport, NormalizedReports } from '../reports/normalize.ts';
import { reconcile, type TypePolicy } from '../reports/reconcile.ts';
import type { MinuteHistogram } from '../reports/report-type.ts';
import { batchesByHours, batchesByStation, type ReportBatch } from './batches.ts';
import { decodeRevisions } from './decode-revisions.ts';

/** What writing needs of a run, for reports of one source or file. */
export type WriteContext = {
  readonly client: Archive;
  readonly signal: AbortSignal;
  readonly source: Source;
  /** The minutes of the hour at which stations report, as far as this run has seen their reports. */
  readonly minutes: MinuteHistogram;
  /** Stations that this run has listed for the source. */
  readonly listedStations: Set<string>;
};

/**
 * `few stations`: reconciled against the calendar years of each station, so types are final.
 * `all stations`: reconciled against a few hours of all stations; types are provisional until `reclassifyYear`.
 */
type WriteScope = 'few stations' | 'all stations';

/** Reports that have been sent and that ClickHouse may not have stored yet. Keeps none of them in memory. */
export type PendingWrite = {
  readonly kind: 'sent';
  readonly stored: Promise<unknown>;
  /** Distinct reports of the source. */
  readonly reports: number;
  /** How many of them the archive lacked, or had with a less faithful text. */
  readonly inserted: number;
  readonly skipped: SkipCounts;
  /** The parts of the archive that the reports were reconciled with. */
  readonly windows: readonly StationWindow[];
  /** Those with an observation. */
  readonly stations: ReadonlySet<string>;
  /** The NIL reports of the other stations. */
  readonly nilReports: readonly ObservedHour[];
  /** Hours of reports that may have been in the archive before; for inserted reports the coverage view counts itself. */
  readonly observedHours: readonly ObservedHour[];
  /** Distinct reports that the archive holds afterward, from any source, by day number. */
  readonly dailyCounts: ReadonlyMap<number, number>;
};

export type WriteResult = { readonly kind: 'loaded' } & Pick<
  PendingWrite,
  'reports' | 'inserted' | 'skipped' | 'dailyCounts'
>;

/** Sends what the archive lacks; resolves when the last row is sent. */
export async function reconcileAndWrite(
  context: WriteContext,
  { reports, skipped }: NormalizedReports,
  scope: WriteScope,
): Promise<PendingWrite> {
  const isAll = scope === 'all stations';
  const typePolicy = isAll ? provisionalPolicy(context.minutes, reports) : FINAL;
  const batches = isAll ? batchesByHours(reports) : batchesByStation(reports);
  const counts: WriteCounts = { reports: 0, inserted: 0, observedHours: [], dailyCounts: new Map() };
  const inserts = await Promise.all(
    (isAll ? inHalves(batches) : [batches]).map((some) =>
      sendRevisions(context.client, revisionsOf(context, some, typePolicy, counts), context.signal),
    ),
  );
  const duplicates = reports.length - counts.reports;
  const stations = new Set(reports.filter(isObservation).map(({ station }) => station));
  return {
    kind: 'sent',
    ...counts,
    stored: Promise.all(inserts.map(({ stored }) => stored)),
    skipped: duplicates > 0 ? { ...skipped, 'duplicate report': duplicates } : skipped,
    windows: batches.map(({ window }) => window),
    stations,
    nilReports: reports.filter(({ nil, station }) => nil && !stations.has(station)),
  };
}

type WriteCounts = {
  reports: number;
  inserted: number;
  readonly observedHours: ObservedHour[];
  readonly dailyCounts: Map<number, number>;
};

/**
 * A day of all stations makes two concurrent inserts: with one the loader waits for ClickHouse, and more leave more
 * parts to merge.
 */
function inHalves(batches: readonly ReportBatch[]): readonly (readonly ReportBatch[])[] {
  const half = Math.ceil(batches.length / 2);
  return [batches.slice(0, half), batches.slice(half)];
}

/** A batch is reconciled once the previous one's rows are sent; only what the archive lacks is decoded. */
async function* revisionsOf(
  { client, source, signal }: WriteContext,
  batches: readonly ReportBatch[],
  typePolicy: TypePolicy,
  counts: WriteCounts,
): AsyncGenerator<Iterable<Revision>> {
  for (const { reports, window } of batches) {
    const stored = await readStoredReports(client, window, signal);
    if (stored.length > 0)
      for (const { station, observedAt } of reports.filter(isObservation))
        counts.observedHours.push({ station, observedAt });
    const reconciled = reconcile(source, reports, stored, typePolicy);
    counts.reports += reconciled.reports;
    counts.inserted += reconciled.inserted;
    reconciled.addDailyCounts(counts.dailyCounts);
    yield decodeRevisions(reconciled.revisions);
  }
}

const FINAL: TypePolicy = { kind: 'final' };

function provisionalPolicy(minutes: MinuteHistogram, reports: readonly NormalizedReport[]): TypePolicy {
  for (const report of reports) minutes.add(report);
  return { kind: 'provisional', isMetar: minutes.inference() };
}

/** A NIL report says that there is no observation. */
function isObservation({ nil }: NormalizedReport): boolean {
  return !nil;
}
