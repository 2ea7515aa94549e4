import { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import type { Archived } from './archived.ts';
import type { Report } from './report.ts';

/**
 * One row to add. `put` holds a report, new or better than the archive's; `retract` says that a report is no longer
 * held under its old type, and always comes with a `put` under the new one, at the same version.
 */
export type Revision =
  | { readonly kind: 'put'; readonly report: Report; readonly version: number }
  | { readonly kind: 'retract'; readonly archived: Archived; readonly version: number };

/**
 * Adds rows in one insert: a station-year lies in one partition and below one block, so it lands whole or not at all.
 * Inserting the same revisions again changes nothing that a reader can see.
 */
export async function insertRevisions(
  client: ClickHouseClient,
  revisions: readonly Revision[],
  signal: AbortSignal,
): Promise<void> {
  if (revisions.length === 0) return;
  await client.insert({
    table: 'observations',
    values: Readable.from(rows(revisions)),
    format: 'JSONEachRow',
    abort_signal: signal,
  });
}

function* rows(revisions: readonly Revision[]): Generator<object> {
  for (const revision of revisions) yield revision.kind === 'put' ? putRow(revision) : retractRow(revision);
}

function putRow({ report, version }: Extract<Revision, { kind: 'put' }>): object {
  const { outcome, fingerprint, ...columns } = report;
  return {
    ...columns,
    fingerprint: fingerprintColumn(fingerprint),
    version,
    clean: outcome === 'clean',
    retracted: false,
  };
}

function retractRow({ archived, version }: Extract<Revision, { kind: 'retract' }>): object {
  const { observedAt, station, type, fingerprint, source } = archived;
  return {
    observedAt,
    station,
    type,
    fingerprint: fingerprintColumn(fingerprint),
    source,
    version,
    retracted: true,
  };
}

function fingerprintColumn(hex: string): number {
  return Number.parseInt(hex, 16);
}
