import type { Archive } from '../../clickhouse/archive.ts';
import type { TimeWindow } from '../../clickhouse/model/time-window.ts';
import { completeWrites } from '../../clickhouse/observations/copy-rows.ts';
import { RENEW_SECONDS, readOpenWriters, recordWriter } from '../../clickhouse/observations/writers.ts';
import { KeyedMutex } from './workers.ts';

/**
 * A report is inserted into `observations` and then into `station_observations`. A write that ends in between leaves rows
 * that the second table lacks. A later load of the same reports reads the second table, and could decide otherwise:
 * then the first would keep a report under a type that it no longer has. So these rows are copied before anything is read:
 * those of a write of this process that has failed, and those of other loaders that have not ended in good order.
 */
export class Writer {
  readonly #archive: Archive;
  readonly #run: string;
  readonly #mutex = new KeyedMutex();
  #recorded: (TimeWindow & { readonly atMs: number }) | undefined;
  #failed: TimeWindow[] = [];

  constructor(archive: Archive, run: string) {
    this.#archive = archive;
    this.#run = run;
  }

  /** Runs work that reads the stored reports of a window and writes there. */
  async write<T>(window: TimeWindow, work: () => Promise<T>): Promise<T> {
    if (window.from < window.to) await this.#mutex.run('', () => this.#prepare(window));
    return this.settle(window, work);
  }

  /** Runs work that completes such a write. */
  async settle<T>(window: TimeWindow, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#failed.push(window);
      throw error;
    }
  }

  /** Call it when nothing is being written any more, unless the process fails. */
  async close(): Promise<void> {
    if (this.#recorded === undefined) return;
    // What has failed was repeated, perhaps without another write.
    await this.#completeFailed();
    const { from, to } = this.#recorded;
    await recordWriter(this.#archive, { run: this.#run, from, to, isOpen: false });
    this.#recorded = undefined;
  }

  async #prepare(window: TimeWindow): Promise<void> {
    if (this.#recorded === undefined) await this.#completeOthers();
    await this.#completeFailed();
    await this.#record(window);
  }

  async #completeFailed(): Promise<void> {
    for (let failed = this.#failed[0]; failed !== undefined; failed = this.#failed[0]) {
      await completeWrites(this.#archive, failed);
      this.#failed.shift();
    }
  }

  async #completeOthers(): Promise<void> {
    const others = await readOpenWriters(this.#archive, this.#run);
    for (const window of joined(others)) await completeWrites(this.#archive, window);
    for (const { run, from, to, hasEnded } of others)
      if (hasEnded) await recordWriter(this.#archive, { run, from, to, isOpen: false });
  }

  async #record({ from, to }: TimeWindow): Promise<void> {
    const before = this.#recorded;
    const isFresh = before !== undefined && performance.now() - before.atMs < RENEW_SECONDS * 1000;
    if (isFresh && before.from <= from && before.to >= to) return;
    const window = { from: Math.min(from, before?.from ?? from), to: Math.max(to, before?.to ?? to) };
    await recordWriter(this.#archive, { run: this.#run, ...window, isOpen: true });
    this.#recorded = { ...window, atMs: performance.now() };
  }
}

/** Windows as ones that do not overlap. */
function joined(windows: readonly TimeWindow[]): readonly TimeWindow[] {
  const parts: { from: number; to: number }[] = [];
  for (const { from, to } of windows.toSorted((a, b) => a.from - b.from)) {
    const last = parts.at(-1);
    if (last === undefined || from > last.to) parts.push({ from, to });
    else last.to = Math.max(last.to, to);
  }
  return parts;
}
