import type { Readable } from 'node:stream';
import type { Archive, StatementSettings } from '../../archive.ts';
import { hiddenIn } from '../hidden-reports.ts';
import { AS_TEXT, TYPED } from '../record-columns.ts';
import { selectRecordColumns, selectRecordLines } from '../select-records.ts';
import { joinWindows, type RecordStream } from './join-windows.ts';
import { OUTPUT_FORMATS, type StreamFormat, streamSettings } from './output-formats.ts';
import { StoredParts } from './stored-parts.ts';
import { matchingParts, type PartRows, partsOf, type StreamPart } from './stream-parts.ts';
import { exceedsLimit, fixRange, JUDGED_ROWS, type StreamRange, type StreamRequest } from './stream-range.ts';

/** Smaller than by default: text of a station's twenty years takes 0.85 of the CPU, columns 0.93 with twice as many rows. */
const BLOCK_ROWS: Readonly<Record<StreamFormat, string>> = {
  ndjson: '16384',
  csv: '16384',
  parquet: '32768',
  arrow: '32768',
};

/** The first bytes come from a short statement. DESIGN.md has the cost of other values. */
const PART_ROWS: PartRows = { first: 2000, next: 150_000, judged: 400_000 };

/** Loaders do not insert as many records while a stream opens; if they did, it would break off (`RowLimit`). */
const SAFE_SHARE = 0.5;
/** Fewer records each time, so that loaders that insert constantly do not delay it. */
const FIRST_SPARE = 4;

/**
 * Fixes the end of a stream and opens it. A loader can insert between the two: so the records are counted again once the
 * stream is open, because it holds those of that moment, and with more than `limit` it is opened again. Where they were
 * far fewer before, that is enough.
 *
 * @throws {CutRangeError} if it would be cut
 */
export async function openRange(
  archive: Archive,
  request: StreamRequest,
  { judgedRows = JUDGED_ROWS, rows = PART_ROWS } = {},
): Promise<{ readonly range: StreamRange; readonly bytes: RecordStream }> {
  for (let spare = 0; ; spare = spare === 0 ? FIRST_SPARE : spare * 2) {
    const stored = new StoredParts(archive, spare === 0 ? request.parts : undefined);
    const range = await fixRange(archive, request, { spare, judgedRows, stored });
    const bytes = await openStream(archive, request, range, { rows, stored });
    if (range.rows !== undefined && range.rows <= request.limit * SAFE_SHARE) return { range, bytes };
    try {
      if (!(await exceedsLimit(archive, request, range))) {
        // It may have broken off meanwhile.
        if (bytes.errored !== null) throw bytes.errored;
        return { range, bytes };
      }
    } catch (error) {
      bytes.destroy();
      throw error;
    }
    bytes.destroy();
  }
}

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
  { rows = PART_ROWS, stored = new StoredParts(archive, request.parts) } = {},
): Promise<RecordStream> {
  const { format, condition, limit } = request;
  const parts =
    range.rows === 0
      ? partsOfNothing(range, format)
      : condition === undefined
        ? partsOf(request, range, rows)
        : matchingParts(archive, request, range, { rows, stored });
  return joinWindows(format, limit, openWindows(archive, request, parts));
}

/** An answer without records has a header, a schema or a footer in every format but NDJSON. */
function partsOfNothing({ window: { from } }: StreamRange, format: StreamFormat): readonly StreamPart[] {
  return format === 'ndjson' ? [] : [{ window: { from, to: from } }];
}

async function* openWindows(
  archive: Archive,
  request: StreamRequest,
  parts: AsyncIterable<StreamPart> | Iterable<StreamPart>,
): AsyncGenerator<Readable, undefined> {
  const { format } = request;
  const servers = archive.countServerChanges();
  const { name, following } = OUTPUT_FORMATS[format];
  const settings: StatementSettings = {
    ...streamSettings(format, request),
    max_block_size: BLOCK_ROWS[format],
  };
  const hidden = hiddenIn(request.states, request);
  let printedAs: string = name;
  const open = (part: StreamPart) => {
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
  for await (const part of parts) {
    const bytes = await open(part);
    if (part.hasStillOneVersion === undefined || (await part.hasStillOneVersion())) yield bytes;
    else {
      bytes.destroy();
      yield open({ ...part, hasOneVersion: false, isSparse: true });
    }
    printedAs = following;
  }
}
