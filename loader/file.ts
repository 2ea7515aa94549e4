import type { ClickHouseClient } from '@clickhouse/client';
import { addDays, dayOf, yearOf } from '../clickhouse/day.ts';
import { storageFailure } from '../clickhouse/failure.ts';
import { recordSlice } from '../clickhouse/ledger.ts';
import type { Source } from '../clickhouse/report.ts';
import { EVERY_STATION } from '../clickhouse/stations.ts';
import { keep } from './keep.ts';
import { linesOf } from './lines.ts';
import type { Loaded } from './load.ts';
import { addSkips, type SkipCounts, skip } from './skipped.ts';
import type { Format } from './sources/formats.ts';
import type { Body, Reading, RowReader, Sent } from './sources/origin.ts';
import { type Fetched, split } from './split.ts';
import type { Minutes } from './type.ts';

/** Rows that are held at once: a file may have any size. */
const BATCH = 50_000;
/** Types of more stations are settled when all files have been read: their years are too much to read for each batch. */
const FEW_STATIONS = 40;
/** AWC's cache has five lines before its header, and IEM's `comma` as many. */
const HEAD_LINES = 6;

export type Keeping = {
  readonly client: ClickHouseClient;
  readonly formats: readonly Format[];
  readonly stations: ReadonlySet<string> | undefined;
  readonly observedWithin: NonNullable<Reading['observedWithin']>;
  readonly minutes: Minutes;
  readonly listed: Map<Source, Set<string>>;
  /** Whose types are to be settled at the end. */
  readonly years: Set<number>;
  readonly signal: AbortSignal;
};

/** Reads a file whatever its format, and keeps its reports batch by batch. */
export async function loadFile(keeping: Keeping, content: Body): Promise<Loaded> {
  const found = new Found(keeping);
  let format: Format | undefined;
  let read: RowReader | undefined;
  let head = 0;
  try {
    for await (const { lines, ended } of linesOf(content)) {
      for (const line of lines) {
        if (line === '' || line.startsWith('#')) continue;
        if (format === undefined || read === undefined) {
          format = keeping.formats.find((each) => each.open(line) !== undefined);
          read = format?.open(line);
          head += 1;
          if (format === undefined && head >= HEAD_LINES) return UNKNOWN;
          if (format === undefined || read === undefined || !format.isRow(line)) continue;
        }
        // What ends a report, or a quoted value, shows that nothing is missing from the last line.
        found.add(ended || /["=]$/.test(line) ? read(line) : 'cut short');
      }
      if (format !== undefined) await found.keep(format.source, BATCH);
    }
    if (format === undefined) return UNKNOWN;
    return await found.end(format.source);
  } catch (error) {
    if (storageFailure(error) !== 'unknown' || !isUnreadable(error)) throw error;
    if (format !== undefined) await found.end(format.source);
    return { kind: 'failed', reason: String(error) };
  }
}

const UNKNOWN: Loaded = { kind: 'failed', reason: 'in none of the formats that are known' };

/** Of the file itself, not of the archive: zlib and the file system give their errors a code, Z_… or E…, and no host. */
function isUnreadable(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code !== undefined && (code.startsWith('Z_') || syscall === 'read' || syscall === 'open');
}

/** What one file has brought so far. */
class Found {
  private readonly keeping: Keeping;
  private sent: Sent[] = [];
  private readonly skipped: SkipCounts = {};
  private readonly stations = new Set<string>();
  private from = Number.POSITIVE_INFINITY;
  private to = 0;
  private reports = 0;
  private inserted = 0;

  constructor(keeping: Keeping) {
    this.keeping = keeping;
  }

  add(row: ReturnType<RowReader>): void {
    if (typeof row === 'string') skip(this.skipped, row);
    else if (this.keeping.stations?.has(row.station) === false) skip(this.skipped, 'wrong station');
    else this.sent.push(row);
  }

  /** Hands over what has gathered, once it is at least so many rows. */
  async keep(source: Source, least: number): Promise<void> {
    if (this.sent.length < least) return;
    const { observedWithin, listed } = this.keeping;
    const { fetched, skipped } = split({ sent: this.sent, skipped: {}, observedWithin });
    this.sent = [];
    addSkips(this.skipped, skipped);
    const stations = this.note(fetched);
    const known = listed.get(source) ?? new Set();
    listed.set(source, known);
    const world = stations.size > FEW_STATIONS;
    if (world) for (const year of yearsOf(fetched)) this.keeping.years.add(year);
    const kept = await keep(
      { ...this.keeping, source, listed: known },
      fetched,
      world ? 'world' : 'stations',
    );
    this.reports += kept.reports;
    this.inserted += kept.inserted;
    for (let again = fetched.length - kept.reports; again > 0; again -= 1)
      skip(this.skipped, 'same report again');
  }

  /** Enters the file into the ledger: its reports and what was skipped, and no day done. */
  async end(source: Source): Promise<Loaded> {
    await this.keep(source, 1);
    const { client, signal } = this.keeping;
    const { reports, inserted, skipped } = this;
    if (this.stations.size > 0) {
      const station = this.stations.size === 1 ? ([...this.stations][0] ?? '') : EVERY_STATION;
      const firstDay = dayOf(this.from);
      const days = { firstDay, doneDay: firstDay, endDay: addDays(dayOf(this.to), 1) };
      await recordSlice(client, { source, station, ...days, reports, inserted, skipped }, signal);
    }
    return { kind: 'loaded', reports, inserted, skipped };
  }

  private note(fetched: readonly Fetched[]): ReadonlySet<string> {
    const stations = new Set<string>();
    for (const { station, observedAt } of fetched) {
      stations.add(station);
      this.stations.add(station);
      this.from = Math.min(this.from, observedAt);
      this.to = Math.max(this.to, observedAt);
    }
    return stations;
  }
}

function yearsOf(fetched: readonly Fetched[]): ReadonlySet<number> {
  return new Set(fetched.map(({ observedAt }) => yearOf(observedAt)));
}
