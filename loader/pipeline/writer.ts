import type { Archive } from '../../clickhouse/archive.ts';
import { rebuildReportHours } from '../../clickhouse/coverage/ledger/ledger.ts';
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

/** How long the list of other loaders is reused. A loader that starts in this time is found by the search for conflicts. */
const KNOWN_FOR_MS = 1000;

/**
 * A report is inserted into `observations` and then into `station_observations`, which loaders read. A write that has not
 * ended leaves rows that the second table lacks. Another loader could write the same report under another type, and both
 * would be served. So each loader has an open row in `writers`, and
 *
 * - before a loader reads reports, and once more before it looks for conflicts, it copies what the second table lacks of the
 *   ranges of open loaders: if two loaders write one report, the one that inserts last then finds both rows;
 * - the next loader copies what a killed loader, or a failed write of this process, has left, and looks for conflicts in the
 *   whole range, before it closes their row.
 */
export class Writer {
  readonly marks: DayMarks;
  /** The hidden reports of the archive, as of the last call of `write` or `complete`. */
  hidden: readonly HiddenReport[] = [];
  /** Increases in such a call if another loader, or a write of all stations, may have written since the previous call. */
  othersSeen = 0;
  readonly #archive: Archive;
  readonly #run: string;
  readonly #mutex = new KeyedMutex();
  #recorded: (TimeWindow & { readonly atMs: number }) | undefined;
  #hasRepairedOthers = false;
  #others: (OtherWriters & { readonly atMs: number }) | undefined;
  /** Whether a write of all stations has begun: it and writes of single stations do not wait for each other. */
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
    // Failed work has been repeated, but perhaps without writing the same rows again.
    await this.#repairFailed();
    this.marks.endAll();
    await refreshDays(this.#archive, this.marks, MOST_OF_OTHERS);
    const { from, to } = this.#recorded;
    await recordWriter(this.#archive, { run: this.#run, from, to, isOpen: false });
    this.#recorded = undefined;
  }

  /** Computes the days that this loader has changed, except days whose reports are being written. */
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
      // In a cluster, this server may not have yet what another loader has written to another server.
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

  /** @param hasEnded whether its loader no longer looks for conflicts: then this does, even if it copies no rows */
  async #repair(window: TimeWindow, hasEnded: boolean): Promise<void> {
    // Month by month, because the engine has the keys of all rows of the second table in memory.
    for (const month of calendarMonths(window)) {
      const copied = await completeWrites(this.#archive, { stations: [], ...month });
      if (copied === 0 && !hasEnded) continue;
      await this.#record(toCalendarYears(month));
      // What ended the write may have come after the rows, and before the view that adds their hours to the coverage.
      if (hasEnded) await rebuildReportHours(this.#archive, month);
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

/** The most station-months of killed loaders to compute at the end of a load, which takes a few seconds. */
const MOST_OF_OTHERS = 2000;

/** The ranges of open loaders, split so that they do not overlap. */
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
