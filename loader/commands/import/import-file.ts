import { hasSlice, recordSlices } from '../../../clickhouse/coverage/ledger/ledger.ts';
import { groupBy } from '../../../clickhouse/group-by.ts';
import { addDays, type DayRange, dayOf, parseDay } from '../../../clickhouse/model/day.ts';
import { ICAO_CODE, type Source } from '../../../clickhouse/model/report.ts';
import { calendarYears } from '../../../clickhouse/model/time-window.ts';
import { readReports } from '../../pipeline/normalize.ts';
import { loadReports } from '../../pipeline/write.ts';
import type { LoadResult } from '../../progress/load-progress.ts';
import { peek, splitLines } from '../../sources/body.ts';
import type { RowParser, SkipReason, SourceRow } from '../../sources/format.ts';
import { NO_HISTORY } from '../../sources/ncei/ncei.ts';
import { lineReader, UNREADABLE_ROW } from '../../sources/parse-rows.ts';
import {
  addSkips,
  type Body,
  InvalidResponseError,
  NO_STATION_AND_TIME,
  OTHER_TIME,
  OUTSIDE_WINDOW,
  type SkipCounts,
  skip,
  UnreadableFileError,
  WRONG_STATION,
} from '../../sources/source.ts';
import { reportsIn } from '../../sources/two-reports.ts';
import type { ImportContext } from './import-files.ts';
import { MAX_HEADER_LINES, unknownFormat } from './unknown-format.ts';

/** Rows held in memory: a file may have any size. */
const BATCH_ROWS = 50_000;
/** Years of more stations are reclassified once, at the end of the import: that reads all their reports. */
const MAX_STATIONS_WITH_FINAL_TYPES = 40;

/** Recognizes the format of a file by its first bytes or lines, and writes its reports batch by batch. */
export async function importFile(context: ImportContext, content: Body, name: string): Promise<LoadResult> {
  const batches = fileBatches(context);
  let source: Source | undefined;
  try {
    const { start, all } = await peek(content);
    const whole = context.wholeFileFormats.find(({ isStart }) => isStart(start));
    if (whole !== undefined) {
      source = whole.source;
      const file = await readWhole(all, whole.maxBytes);
      let [rows, unreadable, first] = [0, 0, 0];
      for await (const row of whole.rows(file)) {
        rows += 1;
        if ('reason' in row && row.reason === UNREADABLE_ROW)
          [unreadable, first] = [unreadable + 1, first || rows];
        batches.add(row);
        if (batches.isFull()) await batches.write(source);
      }
      const counts = await batches.finish(source);
      const seen = `${unreadable} of ${rows} rows cannot be read, the first is number ${first}`;
      const message = () => (first > 0 ? `${seen}; expected ${whole.name}` : whole.lacks?.(file));
      return resultOf(context, counts, whole, { message, isBroken: () => unreadable > rows / 2 });
    }
    // Where lines end in CR alone, the first row of a format without header would hold all others.
    const formats = start.includes('\r') && !start.includes('\n') ? [] : context.formats;
    const lines = lineReader(formats, daysOfName(name) ?? context.days);
    for await (const group of splitLines(all)) {
      for (const line of group.lines) batches.add(lines.take(line, group.ended));
      source = lines.format()?.source;
      if (source === undefined && lines.headerLines() >= MAX_HEADER_LINES) break;
      if (source !== undefined && batches.isFull()) await batches.write(source);
    }
    const format = lines.format();
    if (format === undefined) return { kind: 'failed', reason: unknownFormat(start) };
    batches.add(lines.end());
    return resultOf(context, await batches.finish(format.source), format, lines);
  } catch (error) {
    if (!(error instanceof InvalidResponseError || error instanceof UnreadableFileError)) throw error;
    return { ...(source && (await batches.finish(source))), kind: 'failed', reason: error.message };
  }
}

const NOT_NAMED: SkipReason = 'not of --stations';

/** Reasons that show, if most texts have them, that the file is of another kind or its columns have another meaning. */
const SUSPICIOUS = [NO_STATION_AND_TIME, WRONG_STATION, OTHER_TIME, UNREADABLE_ROW, NO_HISTORY];

/** An empty file is not a failure, because a source without reports sends one. */
export const EMPTY_FILE: LoadResult = { kind: 'loaded', unreadable: 'it has no rows' };

/** A file fails if it ends early, if most of its rows cannot be read (D68), or if it has texts and none is a report. */
function resultOf(
  { outside }: ImportContext,
  counts: { readonly reports: number; readonly inserted: number; readonly skipped: SkipCounts },
  format: { readonly name: string },
  lines: Pick<ReturnType<typeof lineReader>, 'message' | 'isBroken'>,
): LoadResult {
  const failed = (reason: string) => ({ ...counts, kind: 'failed', reason }) as const;
  const message = lines.message();
  if (message !== undefined && lines.isBroken()) return failed(message);
  const skipped = Object.entries(counts.skipped);
  if (counts.reports === 0 && skipped.length === 0 && message === undefined) return EMPTY_FILE;
  const rows = skipped.filter(([why]) => why !== outside && why !== NOT_NAMED);
  const { [OTHER_TIME]: ofOtherTime = 0 } = counts.skipped;
  if (counts.reports > 0 && ofOtherTime > counts.reports)
    return failed(`the times of ${ofOtherTime} texts are not near those of their rows, which must be in UTC`);
  if (counts.reports > 0 || rows.length === 0) return { ...counts, kind: 'loaded', unreadable: message };
  const reason = `no row is a report: ${rows.map(([why, count]) => `${count} ${why}`).join(', ')}; expected ${format.name}`;
  if (sumOf(rows.filter(([why]) => SUSPICIOUS.includes(why))) > sumOf(rows) / 2) return failed(reason);
  return { ...counts, kind: 'loaded', unreadable: reason };
}

const sumOf = (rows: readonly (readonly [string, number])[]): number =>
  rows.reduce((sum, [, count]) => sum + count, 0);

/** The day in the name of a file, as in `metar_20240131_1200.txt` or IEM's `24013112.sao`, with the days before and after it. */
function daysOfName(name: string): DayRange | undefined {
  const [, year = '', month, day] =
    /(?<!\d)((?:19|20)\d\d)-?(\d\d)-?(\d\d)(?!\d{3})/.exec(name) ??
    /(?<!\d)(\d\d)(\d\d)(\d\d)\d\d\.sao/.exec(name) ??
    [];
  const found = parseDay(`${year.padStart(4, '20')}-${month}-${day}`);
  return found && { firstDay: found, endDay: addDays(found, 1) };
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

/** Holds the rows of a file until there are enough for a batch. */
function fileBatches(context: ImportContext) {
  const { archive, run, years, observedWithin } = context;
  const counts = { reports: 0, inserted: 0, skipped: {} as SkipCounts };
  const stationsOfFile = new Set<string>();
  let rows: SourceRow[] = [];
  let [firstReport, lastReport] = [Number.POSITIVE_INFINITY, 0];

  const write = async (source: Source): Promise<void> => {
    const batch = groupBy(rows, (row) => row.source ?? source);
    rows = [];
    for (const [ofSource, some] of batch) await writeOf(ofSource, some);
  };
  const writeOf = async (source: Source, rows: readonly SourceRow[]): Promise<void> => {
    const isMany = new Set(rows.map(({ station }) => station)).size > MAX_STATIONS_WITH_FINAL_TYPES;
    const reports = await readReports(context, { rows, skipped: {}, observedWithin });
    const scope = isMany ? 'all stations' : 'few stations';
    const loaded = await loadReports({ ...context, source }, reports, { scope });
    counts.reports += loaded.reports;
    counts.inserted += loaded.inserted;
    const { [OUTSIDE_WINDOW]: outside, ...skipped } = loaded.skipped;
    addSkips(counts.skipped, outside === undefined ? skipped : { ...skipped, [context.outside]: outside });
    const { stations, ...window } = loaded.observed;
    if (stations.size === 0) return;
    for (const station of stations) stationsOfFile.add(station);
    for (const { station, place } of rows)
      if (place !== undefined && stations.has(station)) context.places.set(station, place);
    firstReport = Math.min(firstReport, window.from);
    lastReport = Math.max(lastReport, window.to - 1);
    if (isMany) for (const year of calendarYears(window)) years.add(year);
  };
  return {
    add(row: ReturnType<RowParser>): void {
      if (row === undefined) return;
      if (row.station !== undefined && !ICAO_CODE.test(row.station)) skip(counts.skipped, 'not an ICAO code');
      else if ('reason' in row) skip(counts.skipped, row.reason);
      else
        for (const report of reportsIn(row))
          if ('reason' in report) skip(counts.skipped, report.reason);
          else if (context.stations?.has(report.station) === false) skip(counts.skipped, NOT_NAMED);
          else rows.push(report);
    },
    isFull: () => rows.length >= BATCH_ROWS,
    write,
    /**
     * Writes the last batch, then, for a file of one station, a row of the ledger with its counts and without done days. Importing
     * the file again adds no such row, unless it brings reports or a loader was killed before it wrote the row.
     */
    async finish(source: Source) {
      await write(source);
      const [station, second] = stationsOfFile;
      // A row over all stations would also stand for stations that the file lacks.
      if (station === undefined || second !== undefined) return counts;
      const firstDay = dayOf(firstReport);
      const days = { firstDay, doneDay: firstDay, endDay: addDays(dayOf(lastReport), 1) };
      const record = { source, station, ...days, ...counts, run, reportsByDay: [] };
      if (counts.inserted > 0 || !(await hasSlice(archive, record))) await recordSlices(archive, [record]);
      return counts;
    },
  };
}
