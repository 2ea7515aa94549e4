import type { Readable } from 'node:stream';
import type { Archive, StatementSettings } from '../../archive.ts';
import { readServedParts } from '../../statements/served-parts.ts';
import { hiddenIn } from '../hidden-reports.ts';
import { AS_TEXT, TYPED } from '../record-columns.ts';
import { selectRecordColumns, selectRecordLines } from '../select-records.ts';
import { type RowRange, tableOf } from '../selection.ts';
import { firstWindow, isAllOf, restAfter } from '../windows.ts';
import { joinWindows, type RecordStream } from './join-windows.ts';
import { OUTPUT_FORMATS, type StreamFormat, streamSettings } from './output-formats.ts';
import { firstSearch, hasSameParts } from './stream-parts.ts';
import { countRows, type StreamRange, type StreamRequest } from './stream-range.ts';

/** Smaller than by default: text of a station's twenty years takes 0.85 of the CPU, columns 0.93 with twice as many rows. */
const BLOCK_ROWS: Readonly<Record<StreamFormat, string>> = {
  ndjson: '16384',
  csv: '16384',
  parquet: '32768',
  arrow: '32768',
};

/**
 * How many records a part should hold, unless one minute has more. With a condition: how many rows are `judged` to know how
 * many meet it. If no more than these can meet it, one statement reads them.
 */
export type PartRows = { readonly first: number; readonly next: number; readonly judged: number };

/** The first bytes come from a short statement. DESIGN.md has the cost of other values. */
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

/**
 * One after another. A statement has read which parts a table has before it sends its first byte. So where it takes each
 * report for its only version, it is enough to look again then whether an insert or a merge has changed that.
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
  let stored = condition === undefined ? [] : (request.parts ?? (await readServedParts(archive)));
  let printedAs: string = name;
  const open = (part: RowRange) => {
    const selection = { ...request, ...part, hidden };
    const select =
      format === 'ndjson'
        ? selectRecordLines(selection, printedAs)
        : selectRecordColumns(selection, format === 'csv' ? AS_TEXT : TYPED, printedAs);
    if (archive.countServerChanges() !== servers) throw new Error('The stream began on another server');
    // Where many rows are searched and few are printed, two threads take half the time and 1.03 of the CPU.
    const threads = part.hasOneVersion && part.isSparse && { max_threads: 2 };
    return archive.stream({ ...select, settings: { ...settings, ...threads } });
  };
  for (let rest = range.window; ; printedAs = following) {
    const isFirst = rest === range.window;
    const part: RowRange =
      condition === undefined
        ? { window: firstWindow(request, rest, isFirst ? sizes.first : sizes.next) }
        : firstSearch(request, rest, { rows: sizes.next, share, stored });
    const { window } = part;
    const isLast = isAllOf(rest, window);
    const ends = { after: isFirst ? after : undefined, last: isLast ? range.last : undefined };
    const bytes = await open({ ...part, ...ends });
    const before = stored;
    if (part.hasOneVersion) stored = await readServedParts(archive);
    if (hasSameParts(before, stored, tableOf({ ...request, window }, true), window)) yield bytes;
    else {
      bytes.destroy();
      yield open({ ...part, ...ends, hasOneVersion: false, isSparse: true });
    }
    if (isLast) return;
    rest = restAfter(rest, window, isDescending);
  }
}

/** About which share of rows meets the condition. */
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
