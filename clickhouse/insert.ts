import { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import type { Archived } from './archived.ts';
import { COLUMNS, ObservationRows } from './observation-rows.ts';
import type { Report } from './report.ts';

/**
 * One row to add. `put` holds a report, new or better than the archive's; `retract` says that a report is no longer
 * held under its old type, and always comes with a `put` under the new one, at the same version.
 */
export type Revision =
  | { readonly kind: 'put'; readonly report: Report; readonly version: number }
  | { readonly kind: 'retract'; readonly archived: Archived; readonly version: number };

/** At once, or group by group as they come to hand. */
export type Revisions = Iterable<Revision> | AsyncIterable<Iterable<Revision>>;

/** Rows go out in pieces of about this many bytes: one by one, the socket costs more than the rows. */
const PIECE = 65_536;

/**
 * Adds rows in one insert: a station-year lies in one partition and below one block, so it lands whole or not at all.
 * Inserting the same revisions again changes nothing that a reader can see.
 *
 * The rows are written out here and sent as they are made, so that a slice of any size needs no memory.
 */
export async function insertRevisions(
  client: ClickHouseClient,
  revisions: Revisions,
  signal: AbortSignal,
): Promise<void> {
  const rows = pieces(revisions);
  const first = await rows.next();
  if (first.done) return;
  const { stream } = await client.exec({
    query: `INSERT INTO observations (${COLUMNS}) FORMAT RowBinary`,
    values: Readable.from(startingWith(first.value, rows), { objectMode: false }),
    abort_signal: signal,
  });
  for await (const _ of stream);
}

async function* startingWith(first: Buffer, rows: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rows;
}

async function* pieces(revisions: Revisions): AsyncGenerator<Buffer> {
  const rows = new ObservationRows(PIECE + 16_384);
  for await (const group of Symbol.asyncIterator in revisions ? revisions : [revisions])
    for (const revision of group) {
      if (revision.kind === 'put') rows.put(revision.report, revision.version);
      else rows.retract(revision.archived, revision.version);
      if (rows.length >= PIECE) yield rows.take();
    }
  if (rows.length > 0) yield rows.take();
}
