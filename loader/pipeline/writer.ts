import type { Archive } from '../../clickhouse/archive.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { DayMarks } from '../../clickhouse/days/day-months.ts';
import { refreshDays } from '../../clickhouse/days/refresh.ts';
import {
  calendarMonths,
  type StationRange,
  type TimeWindow,
  toCalendarYears,
} from '../../clickhouse/model/time-window.ts';
import { completeWrites } from '../../clickhouse/observations/copy-rows.ts';
import { type HiddenReport, readHiddenReports } from '../../clickhouse/observations/hidden-reports.ts';
import { findConflicts } from '../../clickhouse/observations/maintenance.ts';
import {
  type OpenWriter,
  type OtherWriters,
  RENEW_SECONDS,
  readOtherWriters,
  recordWriter,
} from '../../clickhouse/observations/writers.ts';
import { chooseAgain } from './reclassify.ts';
import { KeyedMutex } from './workers.ts';

/** A loader that begins while another reads is seen by the search for conflicts: so a small load need not ask twice. */
const KNOWN_FOR_MS = 1000;

/**
 * A report is inserted into `observations` and then into `station_observations`, which loaders read. A write that has not
 * ended leaves rows that the second table lacks. Another loader could write the same report under another type, and both
 * would be served. So each loader has an open row in `writers`, and
 *
 * - before a loader reads reports, and once more before it looks for conflicts, it copies what the second table lacks of the
 *   ranges of open loaders: of two that write one report, the one that inserts last then finds both rows;
 * - what a loader has left that was killed, or a write of this process that has failed, the next loader copies, and it looks
 *   for conflicts in the whole range, before the row is closed.
 */
export class Writer {
  readonly marks: DayMarks;
  /** The hidden reports of the archive, as of the last call of `write` or `complete`. */
  hidden: readonly HiddenReport[] = [];
  /** Rises with such a call if another loader, or a write of all stations, may have written since the one before. */
  othersSeen = 0;
  readonly #archive: Archive;
  readonly #run: string;
  readonly #mutex = new KeyedMutex();
  #recorded: (TimeWindow & { readonly atMs: number }) | undefined;
  #hasRepairedOthers = false;
  #others: (OtherWriters & { readonly atMs: number }) | undefined;
  /** Writes of all stations and those of single ones do not wait for each other, as writes of one station do. */
  #writesAll = false;
  #failed: TimeWindow[] = [];

  constructor(archive: Archive, run: string) {
    this.#archive = archive;
    this.#run = run;
    this.marks = new DayMarks(archive, run);
  }

  /** Runs work that reads the stored reports of a range and writes there. */
  async write<T>(range: StationRange, work: () => Promise<T>): Promise<T> {
    if (range.from < range.to) {
      this.#writesAll ||= range.stations.length === 0;
      await this.#mutex.run('', async () => {
        await this.#record(range);
        if (!this.#hasRepairedOthers) await this.#repairOthers();
        await this.#repairFailed();
      });
      await this.complete(range, KNOWN_FOR_MS);
    }
    return this.settle(range, work);
  }

  /** Runs work that completes such a write. */
  async settle<T>(window: TimeWindow, work: () => Promise<T>): Promise<T> {
    return work().catch((error) => {
      this.#failed.push(window);
      throw error;
    });
  }

  /** Copies what other loaders have begun to write in a range. Call it before a search for conflicts. */
  async complete({ stations, from, to }: StationRange, maxAgeMs = 0): Promise<void> {
    for (const open of joinedWindows(await this.#readOthers(maxAgeMs))) {
      const window = { from: Math.max(from, open.from), to: Math.min(to, open.to) };
      if (window.from < window.to) await completeWrites(this.#archive, { stations, ...window });
    }
  }

  /** Call it when nothing is being written any more, unless the process fails. */
  async close(): Promise<void> {
    if (this.#recorded === undefined) return;
    // What has failed was repeated, perhaps without another write.
    await this.#repairFailed();
    this.marks.endAll();
    await refreshDays(this.#archive, this.marks, MOST_OF_OTHERS);
    const { from, to } = this.#recorded;
    await recordWriter(this.#archive, { run: this.#run, from, to, isOpen: false });
    this.#recorded = undefined;
  }

  /** Computes the days that this loader has changed, but for those of reports that are being written. */
  async refreshDays(signal?: AbortSignal): Promise<void> {
    await refreshDays(this.#archive, this.marks, 0, signal);
  }

  async #readOthers(maxAgeMs: number): Promise<readonly OpenWriter[]> {
    if (this.#others === undefined || performance.now() - this.#others.atMs > maxAgeMs) {
      const atMs = performance.now();
      const others = await readOtherWriters(this.#archive, this.#run);
      const { open, state, hiddenRows } = others;
      if (hiddenRows !== (this.#others?.hiddenRows ?? 0))
        this.hidden = await readHiddenReports(this.#archive);
      const isAlone = open.length === 0 && state === this.#others?.state && !this.#writesAll;
      // What a server of a cluster has, another may not have yet.
      if (!isAlone || this.#archive.isCluster) this.othersSeen += 1;
      this.#others = { ...others, atMs };
    }
    return this.#others.open;
  }

  async #repairFailed(): Promise<void> {
    for (let failed = this.#failed[0]; failed !== undefined; failed = this.#failed[0]) {
      await this.#repair(failed, true);
      this.#failed.shift();
    }
  }

  async #repairOthers(): Promise<void> {
    const others = await this.#readOthers(0);
    for (const window of joinedWindows(others)) await this.#repair(window, window.hasEnded);
    for (const { run, from, to, hasEnded } of others)
      if (hasEnded) await recordWriter(this.#archive, { run, from, to, isOpen: false });
    this.#hasRepairedOthers = true;
  }

  /** @param hasEnded its loader looks for no conflicts any more: also where an attempt before this one has copied the rows */
  async #repair(window: TimeWindow, hasEnded: boolean): Promise<void> {
    // Month by month: the keys of the rows that the second table has are in memory.
    for (const month of calendarMonths(window)) {
      const copied = await completeWrites(this.#archive, { stations: [], ...month });
      if (copied === 0 && !hasEnded) continue;
      await this.#record(toCalendarYears(month));
      const context = { archive: this.#archive, writer: this };
      const ofAll = { station: ALL_STATIONS, ...month };
      for (const station of await findConflicts(this.#archive, ofAll, this.hidden))
        await chooseAgain(context, { station, ...toCalendarYears(month) });
    }
  }

  async #record({ from, to }: TimeWindow): Promise<void> {
    const before = this.#recorded;
    const isFresh = before !== undefined && performance.now() - before.atMs < RENEW_SECONDS * 1000;
    if (isFresh && before.from <= from && before.to >= to) return;
    if (!isFresh) this.marks.forget();
    const window = { from: Math.min(from, before?.from ?? from), to: Math.max(to, before?.to ?? to) };
    await recordWriter(this.#archive, { run: this.#run, ...window, isOpen: true });
    this.#recorded = { ...window, atMs: performance.now() };
  }
}

/** Station-months: a few seconds for loaders that were killed. */
const MOST_OF_OTHERS = 2000;

/** Ranges of open loaders as ones that do not overlap. */
function joinedWindows(open: readonly OpenWriter[]) {
  const parts: { from: number; to: number; hasEnded: boolean }[] = [];
  for (const { from, to, hasEnded } of open.toSorted((a, b) => a.from - b.from)) {
    const last = parts.at(-1);
    if (last === undefined || from > last.to) parts.push({ from, to, hasEnded });
    else {
      last.to = Math.max(last.to, to);
      last.hasEnded ||= hasEnded;
    }
  }
  return parts;
}
