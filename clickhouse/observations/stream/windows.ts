import type { PageRequest } from '../page/page.ts';
import type { ReportDensity } from '../report-density.ts';
import type { RowRange } from '../row-selection.ts';
import type { StreamRange } from './stream-range.ts';

/** How many rows a window should hold. */
export type WindowRows = { readonly first: number; readonly next: number };

/** With a condition also how many rows that meet it a window should hold, where no minute has more. */
export type StreamWindows = WindowRows & { readonly matches: number };

/** One after another, the parts of a range that one statement each reads. Each begins where the one before ends. */
export async function* windowsOf(
  { stations, types, after }: PageRequest,
  { window, last }: StreamRange,
  density: ReportDensity,
  { first, next }: WindowRows,
  signal: AbortSignal,
): AsyncGenerator<RowRange, undefined> {
  const windows = density.windows(stations, types);
  for (let { from } = window; ; ) {
    const isFirst = from === window.from;
    const to = await windows.end({ from, to: window.to }, isFirst ? first : next, signal);
    const isLast = to === window.to;
    yield { window: { from, to }, ...(isFirst && { after }), ...(isLast && { last }) };
    if (isLast) return;
    from = to;
  }
}
