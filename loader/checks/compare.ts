import type { Source } from '../../clickhouse/model/report.ts';
import type { StoredReport } from '../../clickhouse/observations/stored-reports.ts';
import type { NormalizedReport } from '../pipeline/reports/normalize.ts';
import { reconcile, type TypePolicy } from '../pipeline/reports/reconcile.ts';

export type Difference = {
  /**
   * `missing`: only the source has the report. `extra`: only the archive has it. `other text`, `other type`: both have
   * it, with another text or type.
   */
  readonly kind: 'missing' | 'extra' | 'other text' | 'other type';
  readonly station: string;
  readonly observedAt: number;
  readonly raw: string;
};

/** Reports near the edge of a slice may have come with the slice before or after it. */
const EDGE_SECONDS = 3600;

/**
 * Compares the reports of a source with the archive. Every report of the source must be stored, with its type, and with
 * its text unless a more faithful source has sent another (D4). The archive must have no report from this source that
 * the source does not send.
 *
 * @param stored see `reconcile`
 * @param window seconds `[from, to)` of the request
 */
export function compare(
  source: Source,
  fetched: readonly NormalizedReport[],
  stored: readonly StoredReport[],
  typePolicy: TypePolicy,
  window: { readonly from: number; readonly to: number },
): { readonly reports: number; readonly differences: readonly Difference[] } {
  const storedById = new Map(stored.map((row) => [idOf(row), row]));
  const toInsert = new Set<string>();
  for (const revision of reconcile(source, fetched, stored, typePolicy).revisions)
    if (revision.kind === 'put') toInsert.add(idOf(revision.report));

  const fetchedIds = new Set<string>();
  const differences: Difference[] = [];
  // Reconciled with an empty archive, every report of the source is one row, with its best text.
  for (const revision of reconcile(source, fetched, [], typePolicy).revisions) {
    if (revision.kind === 'retract') continue;
    const { station, observedAt, raw } = revision.report;
    const id = idOf(revision.report);
    fetchedIds.add(id);
    const kind = differenceOf(storedById.get(id), { source, raw }, toInsert.has(id));
    if (kind !== undefined) differences.push({ kind, station, observedAt, raw });
  }
  for (const row of stored)
    if (row.source === source && isInside(row, window) && !fetchedIds.has(idOf(row)))
      differences.push({ kind: 'extra', station: row.station, observedAt: row.observedAt, raw: row.raw });
  return { reports: fetchedIds.size, differences };
}

/** @param isInserted whether a load would insert the report */
function differenceOf(
  stored: StoredReport | undefined,
  { source, raw }: { readonly source: Source; readonly raw: string },
  isInserted: boolean,
): Difference['kind'] | undefined {
  if (stored === undefined) return 'missing';
  if (stored.source === source && stored.raw !== raw) return 'other text';
  if (!isInserted) return undefined;
  return stored.source === source ? 'other type' : 'other text';
}

function isInside({ observedAt }: StoredReport, { from, to }: { from: number; to: number }): boolean {
  return observedAt >= from + EDGE_SECONDS && observedAt < to - EDGE_SECONDS;
}

function idOf({
  station,
  observedAt,
  fingerprint,
}: Pick<StoredReport, 'station' | 'observedAt' | 'fingerprint'>): string {
  return `${station} ${observedAt} ${fingerprint}`;
}
