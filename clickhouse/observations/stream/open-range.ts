import type { Readable } from 'node:stream';
import type { TimeWindow } from '../../model/time-window.ts';
import type { PageRequest } from '../page/page.ts';
import type { OpenStream, StreamForm } from './stream.ts';
import type { StreamRange, StreamRangeReader } from './stream-range.ts';

/** The range of a stream, fixed before its first byte (D33), and its bytes. */
export type OpenRange = (
  request: PageRequest,
  form: StreamForm,
  signal: AbortSignal,
) => Promise<{ readonly range: StreamRange; readonly bytes: Readable }>;

type EarlyStream = {
  readonly window: TimeWindow;
  readonly bytes: Promise<Readable>;
  stop(): void;
};

/**
 * Opens a window while its rows are counted: mostly they are within the limit, and the count then costs no time. Else
 * what was opened is stopped, and the range that the count led to is opened.
 */
export function rangeOpener(readRange: StreamRangeReader, openStream: OpenStream): OpenRange {
  return async (request, form, signal) => {
    let early: EarlyStream | undefined;
    const openEarly = (window: TimeWindow): EarlyStream => {
      const stopped = new AbortController();
      const bytes = openStream(request, { window }, form, AbortSignal.any([signal, stopped.signal]));
      const destroyOpened = () => bytes.then((stream) => stream.destroy());
      // Where it is not used, its failure is of no interest.
      bytes.catch(() => {});
      return {
        window,
        bytes,
        stop() {
          stopped.abort();
          destroyOpened().catch(() => {});
        },
      };
    };
    try {
      const range = await readRange(request, signal, (window) => {
        early = openEarly(window);
      });
      if (early?.window === range.window) return { range, bytes: await early.bytes };
      early?.stop();
      return { range, bytes: await openStream(request, range, form, signal) };
    } catch (error) {
      early?.stop();
      throw error;
    }
  };
}
