import type { Readable } from 'node:stream';
import type { PageRequest } from '../page/page.ts';
import type { StreamFormat } from './output-formats.ts';
import type { OpenStream } from './stream.ts';
import type { StreamRange, StreamRanges } from './stream-range.ts';

/** The range of a stream, fixed before its first byte (D33), and its bytes. */
type OpenedRange = { readonly range: StreamRange; readonly bytes: Readable };

/** Fewer records each time, so that loaders that insert without a pause do not hold it up. */
const FIRST_SPARE = 4;

/**
 * Fixes the end of a stream and opens it. A loader can insert between the two: so the records are counted again once the
 * stream is open, because it holds those of that moment, and with more than `limit` it is opened again.
 */
export async function openRange(
  ranges: StreamRanges,
  openStream: OpenStream,
  request: PageRequest,
  format: StreamFormat,
  signal: AbortSignal,
): Promise<OpenedRange> {
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
