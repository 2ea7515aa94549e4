import type { Archive } from '../../../clickhouse/archive.ts';
import { recordSlices } from '../../../clickhouse/coverage/ledger/ledger.ts';
import { ALL_STATIONS } from '../../../clickhouse/coverage/station-listings.ts';
import { addDays, type DayRange, dayOf, parseDay } from '../../../clickhouse/model/day.ts';
import { ICAO_CODE, type Source } from '../../../clickhouse/model/report.ts';
import { calendarYears } from '../../../clickhouse/model/time-window.ts';
import { loadReports, reportsOf } from '../../pipeline/load-slice.ts';
import type { MinuteHistogram } from '../../pipeline/report-type.ts';
import type { Writer } from '../../pipeline/writer.ts';
import type { LoadResult } from '../../progress/load-progress.ts';
import { splitLines } from '../../sources/body.ts';
import {
  type BinaryFormat,
  type RowFormat,
  type RowParser,
  UNREADABLE_ROW,
  unreadableLines,
} from '../../sources/parse-rows.ts';
import {
  addSkips,
  type Body,
  InvalidResponseError,
  type ParsedBody,
  type SkipCounts,
  type SourceRow,
  skip,
  UnreadableFileError,
  WRONG_STATION,
} from '../../sources/source.ts';
import { reportsIn } from '../../sources/two-reports.ts';

/** Rows held in memory: a file may have any size. */
const BATCH_ROWS = 50_000;
/**
 * Years of more stations are not reclassified after each batch, which would read all their reports, but once at the end
 * of the import.
 */
const MAX_STATIONS_WITH_FINAL_TYPES = 40;
/** AWC's cache has five lines before its header, and so has IEM's `format=comma`. */
const MAX_HEADER_LINES = 6;

/** A format of files. Its reports get the rank of its source (D4). */
type FileFormat = RowFormat & { readonly source: Source };

export type ImportContext = {
  readonly archive: Archive;
  readonly formats: readonly FileFormat[];
  readonly binaryFormats: readonly (BinaryFormat & { readonly source: Source })[];
  readonly stations: ReadonlySet<string> | undefined;
  readonly observedWithin: NonNullable<ParsedBody['observedWithin']>;
  /** Those that the user has named. */
  readonly days: DayRange;
  readonly minutes: MinuteHistogram;
  /** Stations of a list in the folder. */
  readonly knownStations: ReadonlySet<string>;
  /** Stations that this run has listed, by source. */
  readonly listed: Map<Source, Set<string>>;
  readonly years: Set<number>;
  readonly signal: AbortSignal;
  readonly run: string;
  readonly writer: Writer;
};

/** Recognizes the format of a file by its first lines, and writes its reports batch by batch. */
export async function importFile(context: ImportContext, content: Body, name: string): Promise<LoadResult> {
  const batches = fileBatches(context);
  let format: FileFormat | undefined;
  let parse: RowParser | undefined;
  let unreadable: ReturnType<typeof unreadableLines> | undefined;
  let [headerLines, lineNumber, isCut] = [0, 0, false];
  const days = daysOfName(name) ?? context.days;
  try {
    const { start, body } = await peek(content);
    const binary = context.binaryFormats.find(({ isStart }) => isStart(start));
    if (binary !== undefined) {
      for (const row of binary.rows(await readWhole(body, binary.maxBytes))) batches.add(row);
      return await batches.finish(binary.source);
    }
    for await (const { lines, ended } of splitLines(body)) {
      for (const line of lines) {
        lineNumber += 1;
        if (line === '' || line.startsWith('#')) continue;
        if (format === undefined || parse === undefined) {
          format = context.formats.find((each) => each.open(line, days) !== undefined);
          parse = format?.open(line, days);
          headerLines += 1;
          if (format === undefined && headerLines >= MAX_HEADER_LINES) return UNKNOWN_FORMAT;
          if (format === undefined || parse === undefined) continue;
          unreadable = unreadableLines(format);
          if (!format.isRow?.(line)) continue;
        }
        // A last line without a line feed is complete if it ends a report or a quoted value.
        const isWhole = ended || (format.isWhole?.(line) ?? /["=]$/.test(line));
        isCut = !isWhole;
        const row = isWhole ? parse(line) : { reason: UNREADABLE_ROW };
        if (row === undefined) continue;
        unreadable?.add(line, lineNumber, 'reason' in row && row.reason === UNREADABLE_ROW, ended);
        batches.add(row);
      }
      if (format !== undefined) await batches.write(format.source, BATCH_ROWS);
    }
    if (format === undefined) return UNKNOWN_FORMAT;
    // What was cut is no report.
    const last = isCut ? undefined : parse?.end?.();
    if (last !== undefined) batches.add(last);
    const loaded = await batches.finish(format.source);
    const message = unreadable?.message();
    return message !== undefined && unreadable?.isBroken()
      ? { ...loaded, kind: 'failed', reason: message }
      : { ...loaded, unreadable: message };
  } catch (error) {
    if (error instanceof InvalidResponseError) return { kind: 'failed', reason: error.message };
    if (!(error instanceof UnreadableFileError)) throw error;
    const kept = format === undefined ? {} : await batches.finish(format.source);
    return { ...kept, kind: 'failed', reason: error.message };
  }
}

/** The day in the name of a file, `metar_20240131_1200.txt` or IEM's `24013112.sao`, and those beside it. */
function daysOfName(name: string): DayRange | undefined {
  const [, year = '', month, day] =
    /(?<!\d)((?:19|20)\d\d)-?(\d\d)-?(\d\d)(?!\d{3})/.exec(name) ??
    /(?<!\d)(\d\d)(\d\d)(\d\d)\d\d\.sao/.exec(name) ??
    [];
  const found = parseDay(`${year.padStart(4, '20')}-${month}-${day}`);
  return found && { firstDay: found, endDay: addDays(found, 1) };
}

/** The first bytes, and all bytes. */
async function peek(content: Body): Promise<{ readonly start: Buffer; readonly body: Body }> {
  const rest = content[Symbol.asyncIterator]();
  const first = await rest.next();
  async function* body() {
    if (first.done !== true) yield first.value;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return { start: Buffer.from(first.done === true ? [] : first.value), body: body() };
}

/** Avoids holding both the parts of a 60 MB file and their concatenation. Untouched memory costs nothing. */
async function readWhole(body: Body, maxBytes: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(maxBytes);
  let length = 0;
  for await (const chunk of body) {
    if (length + chunk.length > maxBytes) throw new InvalidResponseError(`more than ${maxBytes / 1e6} MB`);
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return bytes.subarray(0, length);
}

const UNKNOWN_FORMAT: LoadResult = {
  kind: 'failed',
  reason: 'the format of the file is not known: see "Files" in docs/loading.md for those that can be loaded',
};

/** Holds the rows of a file until there are enough for a batch. */
function fileBatches(context: ImportContext) {
  const { archive, run, years, listed, observedWithin } = context;
  const counts = { reports: 0, inserted: 0, skipped: {} as SkipCounts };
  const stationsOfFile = new Set<string>();
  let rows: SourceRow[] = [];
  let [firstReport, lastReport] = [Number.POSITIVE_INFINITY, 0];

  /** Writes the batch if it has as many rows. */
  const write = async (source: Source, minRows: number): Promise<void> => {
    if (rows.length < minRows) return;
    const isMany = new Set(rows.map(({ station }) => station)).size > MAX_STATIONS_WITH_FINAL_TYPES;
    const reports = await reportsOf(context, { rows, skipped: {}, observedWithin });
    rows = [];
    const listedStations = listed.get(source) ?? new Set();
    listed.set(source, listedStations);
    const scope = isMany ? 'all stations' : 'few stations';
    const loaded = await loadReports({ ...context, source, listedStations }, reports, { scope });
    counts.reports += loaded.reports;
    counts.inserted += loaded.inserted;
    addSkips(counts.skipped, loaded.skipped);
    const { stations, ...window } = loaded.observed;
    if (stations.size === 0) return;
    for (const station of stations) stationsOfFile.add(station);
    firstReport = Math.min(firstReport, window.from);
    lastReport = Math.max(lastReport, window.to - 1);
    if (isMany) for (const year of calendarYears(window)) years.add(year);
  };
  return {
    add(row: NonNullable<ReturnType<RowParser>>): void {
      if (row.station !== undefined && !ICAO_CODE.test(row.station)) skip(counts.skipped, 'not an ICAO code');
      else if ('reason' in row) skip(counts.skipped, row.reason);
      else
        for (const report of reportsIn(row))
          if ('reason' in report) skip(counts.skipped, report.reason);
          else if (context.stations?.has(report.station) === false) skip(counts.skipped, WRONG_STATION);
          else rows.push(report);
    },
    write,
    /** Writes the last batch, then the ledger row: counts of the file, and no day done. */
    async finish(source: Source) {
      await write(source, 1);
      const [first, second] = stationsOfFile;
      if (first !== undefined) {
        const station = second === undefined ? first : ALL_STATIONS;
        const firstDay = dayOf(firstReport);
        const days = { firstDay, doneDay: firstDay, endDay: addDays(dayOf(lastReport), 1) };
        await recordSlices(archive, [{ source, station, ...days, ...counts, run, reportsByDay: [] }]);
      }
      return { kind: 'loaded', ...counts } as const;
    },
  };
}
