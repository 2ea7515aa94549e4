import { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import type { Report } from '../model/report.ts';
import { ObservationBlock } from './observation-block.ts';
import type { StoredReport } from './stored-reports.ts';

/**
 * One row to add. `put` holds a report, new or better than the archive's; `retract` says that a report is no longer
 * held under its old type, and always comes with a `put` under the new one, at the same version.
 */
export type Revision =
  | { readonly kind: 'put'; readonly report: Report; readonly version: number }
  | { readonly kind: 'retract'; readonly archived: StoredReport; readonly version: number };

/** At once, or group by group as they come to hand. */
export type Revisions = Iterable<Revision> | AsyncIterable<Iterable<Revision>>;

/** Rows go out in blocks of so many, which the engine puts together again: one of all rows would need their memory. */
const BLOCK = 2048;

/**
 * Adds rows in one insert: a station-year lies in one partition and below the engine's own block, so it lands whole or not
 * at all. Inserting the same revisions again changes nothing that a reader can see.
 *
 * Blocks are sent as they are made, so that a slice of any size needs no memory.
 */
export async function insertRevisions(
  client: ClickHouseClient,
  revisions: Revisions,
  signal: AbortSignal,
): Promise<void> {
  const blocks = blocksOf(revisions);
  const first = await blocks.next();
  if (first.done) return;
  const { stream } = await client.exec({
    query: 'INSERT INTO observations FORMAT Native',
    values: Readable.from(startingWith(first.value, blocks), { objectMode: false }),
    // Versions of one report within an insert are rare, and merges and readers know how to choose.
    clickhouse_settings: { optimize_on_insert: 0 },
    abort_signal: signal,
  });
  for await (const _ of stream);
}

async function* startingWith(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

async function* blocksOf(revisions: Revisions): AsyncGenerator<Buffer> {
  const block = new ObservationBlock();
  for await (const group of Symbol.asyncIterator in revisions ? revisions : [revisions])
    for (const revision of group) {
      if (revision.kind === 'put') block.put(revision.report, revision.version);
      else block.retract(revision.archived, revision.version);
      if (block.rows >= BLOCK) yield block.take();
    }
  if (block.rows > 0) yield block.take();
}
