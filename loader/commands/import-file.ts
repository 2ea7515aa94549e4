import type { ClickHouseClient } from '@clickhouse/client';
import { recordSlice } from '../../clickhouse/coverage/ledger.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { storageFailure } from '../../clickhouse/errors.ts';
import { addDays, dayOf, yearOf } from '../../clickhouse/model/day.ts';
import type { Source } from '../../clickhouse/model/report.ts';
import { finishWrite, type LoadResult } from '../pipeline/load-slice.ts';
import { type NormalizedReport, normalize } from '../pipeline/normalize.ts';
import type { MinuteHistogram } from '../pipeline/report-type.ts';
import { addSkips, type SkipCounts, skip } from '../pipeline/skip-reasons.ts';
import { reconcileAndWrite } from '../pipeline/write.ts';
import type { FileFormat } from '../sources/file-formats.ts';
import type { Body, ParsedBody, RowParser, SourceRow } from '../sources/source.ts';
import { splitLines } from '../sources/split-lines.ts';

/** Rows that are held at once: a file may have any size. */
const BATCH = 50_000;
/** Types of more stations are settled when all files have been read: their years are too much to read for each batch. */
const FEW_STATIONS = 40;
/** AWC's cache has five lines before its header, and IEM's `comma` as many. */
const HEAD_LINES = 6;

export type ImportContext = {
  readonly client: ClickHouseClient;
  readonly formats: readonly FileFormat[];
  readonly stations: ReadonlySet<string> | undefined;
  readonly observedWithin: NonNullable<ParsedBody['observedWithin']>;
  readonly minutes: MinuteHistogram;
  readonly listed: Map<Source, Set<string>>;
  /** Whose types are to be settled at the end. */
  readonly years: Set<number>;
  readonly signal: AbortSignal;
};

/** Reads a file whatever its format, and keeps its reports batch by batch. */
export async function importFile(keeping: ImportContext, content: Body): Promise<LoadResult> {
  const found = new Found(keeping);
  let format: FileFormat | undefined;
  let read: RowParser | undefined;
  let head = 0;
  try {
    for await (const { lines, ended } of splitLines(content)) {
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

const UNKNOWN: LoadResult = { kind: 'failed', reason: 'in none of the formats that are known' };

/** Of the file itself, not of the archive: zlib and the file system give their errors a code, Z_… or E…, and no host. */
function isUnreadable(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code !== undefined && (code.startsWith('Z_') || syscall === 'read' || syscall === 'open');
}

/** What one file has brought so far. */
class Found {
  private readonly keeping: ImportContext;
  private sent: SourceRow[] = [];
  private readonly skipped: SkipCounts = {};
  private readonly stations = new Set<string>();
  private from = Number.POSITIVE_INFINITY;
  private to = 0;
  private reports = 0;
  private inserted = 0;

  constructor(keeping: ImportContext) {
    this.keeping = keeping;
  }

  add(row: ReturnType<RowParser>): void {
    if (typeof row === 'string') skip(this.skipped, row);
    else if (this.keeping.stations?.has(row.station) === false) skip(this.skipped, 'wrong station');
    else this.sent.push(row);
  }

  /** Hands over what has gathered, once it is at least so many rows. */
  async keep(source: Source, least: number): Promise<void> {
    if (this.sent.length < least) return;
    const { observedWithin, listed } = this.keeping;
    const normalized = normalize({ rows: this.sent, skipped: {}, observedWithin });
    const { reports } = normalized;
    this.sent = [];
    const stations = this.note(reports);
    const known = listed.get(source) ?? new Set();
    listed.set(source, known);
    const isMany = stations.size > FEW_STATIONS;
    if (isMany) for (const year of yearsOf(reports)) this.keeping.years.add(year);
    const context = { ...this.keeping, source, listedStations: known };
    const scope = isMany ? 'all stations' : 'few stations';
    const written = await finishWrite(context, await reconcileAndWrite(context, normalized, scope));
    this.reports += written.reports;
    this.inserted += written.inserted;
    addSkips(this.skipped, written.skipped);
  }

  /** Enters the file into the ledger: its reports and what was skipped, and no day done. */
  async end(source: Source): Promise<LoadResult> {
    await this.keep(source, 1);
    const { client, signal } = this.keeping;
    const { reports, inserted, skipped } = this;
    if (this.stations.size > 0) {
      const station = this.stations.size === 1 ? ([...this.stations][0] ?? '') : ALL_STATIONS;
      const firstDay = dayOf(this.from);
      const days = { firstDay, doneDay: firstDay, endDay: addDays(dayOf(this.to), 1) };
      await recordSlice(client, { source, station, ...days, reports, inserted, skipped }, signal);
    }
    return { kind: 'loaded', reports, inserted, skipped };
  }

  private note(fetched: readonly NormalizedReport[]): ReadonlySet<string> {
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

function yearsOf(fetched: readonly NormalizedReport[]): ReadonlySet<number> {
  return new Set(fetched.map(({ observedAt }) => yearOf(observedAt)));
}
