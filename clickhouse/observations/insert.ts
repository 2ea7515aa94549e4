import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Archive } from '../archive.ts';
import type { Report } from '../model/report.ts';
import { ObservationBlock } from './observation-block.ts';
import type { StoredReport } from './stored-reports.ts';

/**
 * One row to add. `put` adds a report that is new, or better than the stored one; `retract` removes a report from its
 * old type, and always comes with a `put` under the new type, at the same version.
 *
 * @typeParam R the report before or after decoding
 */
export type Revision<R = Report> =
  | { readonly kind: 'put'; readonly report: R; readonly version: number }
  | { readonly kind: 'retract'; readonly archived: StoredReport; readonly version: number };

/** All at once, or group by group. */
export type Revisions = Iterable<Revision> | AsyncIterable<Iterable<Revision>>;

/** Rows per block. The engine joins blocks again; a single block would need memory for all rows. */
const BLOCK = 2048;

/**
 * Adds rows in one insert: a station-year lies in one partition and fits one engine block, so it is stored atomically.
 * Inserting the same revisions again changes nothing that a reader can see.
 */
export async function insertRevisions(archive: Archive, revisions: Revisions): Promise<void> {
  const { stored } = await sendRevisions(archive, revisions);
  await stored;
}

/**
 * As `insertRevisions`, but resolves when the last row is sent; `stored` resolves when ClickHouse has stored the rows.
 * Blocks are sent as they are built, so memory does not grow with the slice.
 */
export async function sendRevisions(
  archive: Archive,
  revisions: Revisions,
): Promise<{ readonly stored: Promise<void> }> {
  const blocks = blocksOf(revisions);
  const first = await blocks.next();
  if (first.done) return { stored: Promise.resolve() };
  const rows = Readable.from(startingWith(first.value, blocks), { objectMode: false });
  // Versions of one report within an insert are rare, and merges and readers know how to choose.
  const stored = archive.insert({ table: 'observations', rows, settings: { optimize_on_insert: 0 } });
  // An insert that fails also ends the stream, with an error that says less than the one of `stored`.
  await Promise.race([finished(rows).catch(() => stored), stored]);
  return { stored };
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
