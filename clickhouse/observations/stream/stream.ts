import type { Readable } from 'node:stream';
import type { Archive, StatementSettings } from '../../archive.ts';
import { hasParts, partsOf, readServedParts } from '../../statements/served-parts.ts';
import { hiddenIn } from '../hidden-reports.ts';
import { AS_TEXT, selectRecordColumns, selectRecordLines, TYPED } from '../record-columns.ts';
import { type RowRange, tableOf } from '../selection.ts';
import { firstWindow, isAllOf, restAfter } from '../windows.ts';
import { joinWindows, type RecordStream } from './join-windows.ts';
import { OUTPUT_FORMATS, type StreamFormat, streamSettings } from './output-formats.ts';
import { countRows, type StreamRange, type StreamRequest } from './stream-range.ts';

/** Smaller blocks than by default. For twenty years of a station, text takes 0.85 of the CPU time, and columns 0.93. */
const BLOCK_ROWS: Readonly<Record<StreamFormat, string>> = {
  ndjson: '16384',
  csv: '16384',
  parquet: '32768',
  arrow: '32768',
};

/**
 * How many records the `first` and each `next` statement should read, unless one minute has more. With a condition, the share that
 * meets it is estimated from `judged` rows. If no more rows than that can meet it, one statement reads them all.
 */
export type PartRows = { readonly first: number; readonly next: number; readonly judged: number };

/** The first bytes come from a short statement. docs/design.md has the cost of other values. */
const PART_ROWS: PartRows = { first: 2000, next: 150_000, judged: 400_000 };

/**
 * Opens the bytes of a range in a format. They come as fast as they are read, each report once, in the order of D12. A
 * failure before the first bytes throws here; a later one is an error of the stream, which then never ends.
 *
 * A statement sorts its range before its first row. So each statement reads one time window: the first bytes come at once, and
 * the memory of the engine does not grow with the range.
 */
export async function openStream(
  archive: Archive,
  request: StreamRequest,
  range: StreamRange,
  rows = PART_ROWS,
): Promise<RecordStream> {
  const { condition, ...unconditional } = request;
  const { from } = range.window;
  const windows =
    range.rows === 0
      ? openWindows(archive, unconditional, { window: { from, to: from } }, rows)
      : openWindows(archive, request, range, rows);
  return joinWindows(request.format, request.limit, windows);
}

/** A statement is a search if it reads more than `MANY_ROWS` and less than this share of them meets the condition. */
const SPARSE = 1 / 8;
const MANY_ROWS = 2_500_000;
/** For a search, two threads take 0.65 of the time and 1.07 of the CPU time; large blocks, of which few rows are printed, 0.92. */
const SEARCH: StatementSettings = { max_threads: 2, max_block_size: '65536' };

/**
 * Opens windows one after another. A statement with a condition reads named parts, so it is known at which times two of them can
 * have versions of one report. Once its first byte has arrived, it has opened its parts. If a merge took one away before that,
 * the parts that are then listed show it, and the window is read again without named parts.
 */
async function* openWindows(
  archive: Archive,
  request: StreamRequest,
  range: StreamRange,
  sizes: PartRows,
): AsyncGenerator<Readable, undefined> {
  const { format, condition, after, isDescending } = request;
  // Every other format has a header, a schema or a footer.
  if (format === 'ndjson' && range.window.from === range.window.to) return;
  const servers = archive.countServerChanges();
  const { name, following } = OUTPUT_FORMATS[format];
  const settings: StatementSettings = {
    ...streamSettings(format, request),
    max_block_size: BLOCK_ROWS[format],
  };
  const hidden = hiddenIn(request.states, request);
  const share = condition === undefined ? 1 : await shareOfMatches(archive, request, range, sizes.judged);
  let stored = condition === undefined ? [] : await readServedParts(archive);
  let printedAs: string = name;
  const open = (part: RowRange) => {
    const selection = { ...request, ...part, hidden };
    const select =
      format === 'ndjson'
        ? selectRecordLines(selection, printedAs)
        : selectRecordColumns(selection, format === 'csv' ? AS_TEXT : TYPED, printedAs);
    if (archive.countServerChanges() !== servers) throw new Error('The stream began on another server');
    const isSearch = share < SPARSE && !isAllOf(part.window, firstWindow(request, part.window, MANY_ROWS));
    return archive.stream({ ...select, settings: { ...settings, ...(isSearch && SEARCH) } });
  };
  for (let rest = range.window; ; printedAs = following) {
    const isFirst = rest === range.window;
    const rows = isFirst && condition === undefined ? sizes.first : sizes.next / Math.min(1, share);
    const window = firstWindow(request, rest, rows);
    const isLast = isAllOf(rest, window);
    const part = { window, after: isFirst ? after : undefined, last: isLast ? range.last : undefined };
    if (condition === undefined) yield open(part);
    else {
      const table = tableOf({ ...request, window }, true);
      const named = partsOf(stored, table, window);
      const bytes = await open({ ...part, named, isSparse: true });
      if (named) stored = await readServedParts(archive);
      if (named === undefined || hasParts(stored, table, named)) yield bytes;
      else {
        bytes.destroy();
        yield open({ ...part, isSparse: true });
      }
    }
    if (isLast) return;
    rest = restAfter(rest, window, isDescending);
  }
}

/** An estimate of the share of rows that meet the condition. */
async function shareOfMatches(
  archive: Archive,
  request: StreamRequest,
  { window: all, rows = Number.POSITIVE_INFINITY }: StreamRange,
  judged: number,
): Promise<number> {
  if (rows <= judged) return 0;
  const window = firstWindow(request, all, judged);
  return (await countRows(archive, { ...request, window })) / judged;
}
