import type { Source } from '../../clickhouse/model/report.ts';
import type { StoredReport } from '../../clickhouse/observations/stored-reports.ts';
import type { NormalizedReport } from '../pipeline/normalize.ts';
import { reconcile, type Typing } from '../pipeline/reconcile.ts';

/** In what the archive and a source differ about one report. */
export type Difference = {
  /** `missing` in the archive; `extra` there, though the source does not send it; else both have it, with another text or type. */
  readonly kind: 'missing' | 'extra' | 'other text' | 'other type';
  readonly station: string;
  readonly observedAt: number;
  readonly raw: string;
};

/** A report at the edge of a slice may have been filed in its neighbour. */
const EDGE_SECONDS = 3600;

/**
 * Holds what a source sends against what the archive holds: each report of the source has to be there, under its type
 * and, unless a more faithful source gave another, with its text; and the archive may not have any from this source
 * that it does not send.
 *
 * @param archived see `reconcile`
 * @param window seconds `[from, to)` that the source was asked for
 */
export function compare(
  source: Source,
  fetched: readonly NormalizedReport[],
  archived: readonly StoredReport[],
  typing: Typing,
  window: { readonly from: number; readonly to: number },
): { readonly reports: number; readonly differences: readonly Difference[] } {
  const held = new Map(archived.map((row) => [identityOf(row), row]));
  const sent = new Set<string>();
  const wanting = new Set<string>();
  for (const change of reconcile(source, fetched, archived, typing).revisions)
    if (change.kind === 'put') wanting.add(identityOf(change.report));

  const differences: Difference[] = [];
  // Alone, with nothing to hold it against, the source's text of each report: its best, if it sent several.
  for (const change of reconcile(source, fetched, [], typing).revisions) {
    if (change.kind === 'retract') continue;
    const { station, observedAt, raw } = change.report;
    const identity = identityOf(change.report);
    sent.add(identity);
    const kind = judge(held.get(identity), { source, raw }, wanting.has(identity));
    if (kind !== undefined) differences.push({ kind, station, observedAt, raw });
  }
  for (const row of archived)
    if (row.source === source && isInside(row, window) && !sent.has(identityOf(row)))
      differences.push({ kind: 'extra', station: row.station, observedAt: row.observedAt, raw: row.raw });
  return { reports: sent.size, differences };
}

function judge(
  held: StoredReport | undefined,
  { source, raw }: { readonly source: Source; readonly raw: string },
  isWanting: boolean,
): Difference['kind'] | undefined {
  if (held === undefined) return 'missing';
  if (held.source === source && held.raw !== raw) return 'other text';
  if (!isWanting) return undefined;
  return held.source === source ? 'other type' : 'other text';
}

function isInside({ observedAt }: StoredReport, { from, to }: { from: number; to: number }): boolean {
  return observedAt >= from + EDGE_SECONDS && observedAt < to - EDGE_SECONDS;
}

function identityOf({
  station,
  observedAt,
  fingerprint,
}: Pick<StoredReport, 'station' | 'observedAt' | 'fingerprint'>): string {
  return `${station} ${observedAt} ${fingerprint}`;
}
