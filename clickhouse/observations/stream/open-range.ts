import type { Readable } from 'node:stream';
import type { PageRequest } from '../page/page.ts';
import type { StreamFormat } from './output-formats.ts';
import type { OpenStream } from './stream.ts';
import type { StreamRange, StreamRanges } from './stream-range.ts';

/** The range of a stream, fixed before its first byte (D33), and its bytes. */
type OpenedRange = { readonly range: StreamRange; readonly bytes: Readable };

/** Fewer records each time, so that loaders that insert without a pause do not hold it up. */
const FIRST_SPARE = 4;
/** Loaders do not insert as many records again while a stream is opened. Where they did, it would break off (`RowLimit`). */
const SAFE_SHARE = 0.5;

/**
 * Fixes the end of a stream and opens it. A loader can insert between the two: so the records are counted again once the
 * stream is open, because it holds those of that moment, and with more than `limit` it is opened again. Where the
 * coverage lets expect far fewer records, their number is only checked, while the stream is opened.
 */
export async function openRange(
  ranges: StreamRanges,
  openStream: OpenStream,
  request: PageRequest,
  format: StreamFormat,
  signal: AbortSignal,
): Promise<OpenedRange> {
  const short = await openShort(ranges, openStream, request, format, signal);
  if (short !== undefined) return short;
  for (let spare = 0; ; spare = spare === 0 ? FIRST_SPARE : spare * 2) {
    const range = await ranges.read(request, signal, spare);
    const bytes = await openStream(request, range, format, signal);
    try {
      if (!(await ranges.exceeds(request, range, signal))) {
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

async function openShort(
  ranges: StreamRanges,
  openStream: OpenStream,
  request: PageRequest,
  format: StreamFormat,
  signal: AbortSignal,
): Promise<OpenedRange | undefined> {
  const rows = Math.floor(request.limit * SAFE_SHARE);
  const range = await ranges.expectWhole(request, rows, signal);
  if (range === undefined) return undefined;
  const opening = openStream(request, range, format, signal);
  const close = () =>
    opening.then(
      (bytes) => bytes.destroy(),
      () => {},
    );
  const checking = ranges.hasAtMost(request, rows, signal);
  // Also while the other is awaited, a failure is not unhandled.
  for (const work of [opening, checking]) work.catch(() => {});
  try {
    // With more rows than the limit the stream may have broken off already: that is no failure of the request.
    if (!(await checking)) {
      await close();
      return undefined;
    }
    const bytes = await opening;
    if (bytes.errored !== null) throw bytes.errored;
    return { range, bytes };
  } catch (error) {
    void close();
    throw error;
  }
}
