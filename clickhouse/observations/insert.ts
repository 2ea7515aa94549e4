import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Archive, StatementSettings } from '../archive.ts';
import type { DayMarks, MarkedWrite } from '../days/day-months.ts';
import type { Counts, Report } from '../model/report.ts';
import { ObservationBlock } from './observation-block.ts';
import type { StoredReport } from './stored-reports.ts';

/**
 * One row to add. `put` adds a report that is new, better than the stored one, or counts for something else; `retract`
 * removes a report from its old type, and always comes with a `put` under the new type, at the same version.
 */
export type Revision =
  | { readonly kind: 'put'; readonly report: Report; readonly version: number; readonly counts: Counts }
  | { readonly kind: 'retract'; readonly archived: StoredReport; readonly version: number };

/** All at once, or group by group. */
export type Revisions = Iterable<Revision> | AsyncIterable<Iterable<Revision>>;

/** Rows of a block. With a single block, all rows would be in memory. The engine joins the blocks again. */
const BLOCK = 2048;

/** Rows of one insert into each table. Below one block of the engine, so that each is stored as a whole or not at all. */
const INSERT_ROWS = 250_000;

const INSERT_SETTINGS: StatementSettings = {
  // Two versions of a report in one insert are rare, and both merges and readers choose the higher one.
  optimize_on_insert: 0,
  // Only the number of rows, not their bytes, ends a block of the engine.
  min_insert_block_size_bytes: '0',
  // Merges build the indexes of `station_observations`.
  materialize_skip_indexes_on_insert: 0,
};
/** Seconds that the second insert waits for the first to be stored. */
const PATIENCE: StatementSettings = { http_receive_timeout: 600 };

/**
 * Adds rows to both tables of reports, after opening in `marks` the days that they can change. A station-year is in one partition
 * of each table and fits into one insert, so it is stored as a whole. Repeating it after a failure adds the same rows with the same
 * versions, which changes nothing for readers.
 */
export async function insertRevisions(archive: Archive, revisions: Revisions, marks: DayMarks) {
  const { stored } = await sendRevisions(archive, revisions, marks);
  await stored;
}

/**
 * As `insertRevisions`, but resolves when the last row is sent; `stored` resolves when ClickHouse has stored the rows.
 * Blocks are sent as they are built, so memory does not grow with the slice.
 */
export async function sendRevisions(
  archive: Archive,
  revisions: Revisions,
  marks: DayMarks,
): Promise<{ readonly stored: Promise<void> }> {
  const marked = marks.begin();
  let inserts: InsertPair | undefined;
  try {
    for await (const { block, rows } of blocksOf(revisions, marked)) {
      if (inserts !== undefined && inserts.rows + rows > INSERT_ROWS) {
        await inserts.end();
        inserts = undefined;
      }
      inserts ??= new InsertPair(archive);
      await inserts.write(block, rows);
    }
  } catch (error) {
    inserts?.abort(error as Error);
    throw error;
  }
  const stored = (inserts?.end() ?? Promise.resolve()).then(marked.end);
  // Its error is thrown where `stored` is awaited.
  stored.catch(() => {});
  return { stored };
}

/**
 * The same rows for `observations` and for `station_observations`, in two inserts at the same time. The second one ends
 * once the first is stored: whatever happens, a row of `station_observations` is in `observations` too.
 */
class InsertPair {
  rows = 0;
  readonly #first = new PassThrough();
  readonly #second = new PassThrough();
  readonly #stored: Promise<unknown>;

  constructor(archive: Archive) {
    const first = archive.insert({ table: 'observations', rows: this.#first, settings: INSERT_SETTINGS });
    const second = archive.insert({
      table: 'station_observations',
      rows: this.#second,
      settings: { ...INSERT_SETTINGS, ...PATIENCE },
    });
    this.#stored = Promise.all([first.then(() => this.#second.end()), second]);
    // If one insert fails, both streams are ended. Their own errors say less than that of the insert.
    this.#stored.catch((error) => this.abort(error as Error));
    for (const stream of [this.#first, this.#second]) stream.on('error', () => {});
  }

  /** Resolves when both streams take more. */
  async write(block: Buffer, rows: number): Promise<void> {
    this.rows += rows;
    const full = [this.#first, this.#second].filter((stream) => !stream.write(block));
    if (full.length > 0)
      await Promise.race([Promise.all(full.map((stream) => once(stream, 'drain'))), this.#stored]);
  }

  /** Resolves when the rows are stored in both tables. */
  async end(): Promise<void> {
    this.#first.end();
    await this.#stored;
  }

  abort(error: Error): void {
    this.#first.destroy(error);
    this.#second.destroy(error);
  }
}

/** Makes blocks of rows. The days that the rows of a block can change are opened before it is sent. */
async function* blocksOf(revisions: Revisions, marked: MarkedWrite) {
  const block = new ObservationBlock();
  const take = async () => {
    await marked.open();
    const { rows } = block;
    return { rows, block: block.take() };
  };
  for await (const group of Symbol.asyncIterator in revisions ? revisions : [revisions])
    for (const revision of group) {
      if (revision.kind === 'put') block.put(revision.report, revision.version, revision.counts);
      else block.retract(revision.archived, revision.version);
      marked.add(revision.kind === 'put' ? revision.report : revision.archived);
      if (block.rows >= BLOCK) yield await take();
    }
  if (block.rows > 0) yield await take();
}
