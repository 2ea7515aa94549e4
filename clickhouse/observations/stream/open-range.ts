import type { Readable } from 'node:stream';
import type { TimeWindow } from '../../model/time-window.ts';
import type { PageRequest } from '../page/page.ts';
import type { OpenStream, StreamFormat } from './stream.ts';
import type { StreamRange, StreamRangeReader } from './stream-range.ts';

/** The range of a stream, fixed before its first byte (D33), and its bytes. */
export type OpenRange = (
  request: PageRequest,
  format: StreamFormat,
  signal: AbortSignal,
) => Promise<{ readonly range: StreamRange; readonly bytes: Readable }>;

/**
 * Opens a window while its rows are counted: mostly they are within the limit, and the count then costs no time. Else
 * what was opened is stopped, and the range that is found instead is opened.
 *
 * A stream that was opened before the count holds the records of that moment: what a loader inserts during the count is
 * as if it came after the request.
 */
export function rangeOpener(readRange: StreamRangeReader, openStream: OpenStream): OpenRange {
  return async (request, format, signal) => {
    let early: Promise<Readable> | undefined;
    const openEarly = (window: TimeWindow, isRange: Promise<boolean>) => {
      const stopped = new AbortController();
      const opened = openStream(request, { window }, format, AbortSignal.any([signal, stopped.signal]));
      early = opened;
      // The code below awaits it only after the count. A failure before that must not be an unhandled rejection.
      opened.catch(() => {});
      const stop = () => {
        early = undefined;
        stopped.abort();
        opened.then(
          (bytes) => bytes.destroy(),
          () => {},
        );
      };
      isRange.then((is) => is || stop(), stop);
    };
    const range = await readRange(request, signal, openEarly);
    const bytes = await (early ?? openStream(request, range, format, signal));
    // It may have broken off while the rows were counted.
    if (bytes.errored !== null) throw bytes.errored;
    return { range, bytes };
  };
}
