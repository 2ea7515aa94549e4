import type { Archive } from '../../archive.ts';
import type { Condition } from '../../conditions/condition.ts';
import { findMatchingMinutes, MOST_NAMED_MINUTES } from '../matching-minutes.ts';
import type { PageRequest } from '../page/page.ts';
import type { ReportDensity } from '../report-density.ts';
import type { RowRange } from '../row-selection.ts';
import type { StreamRange } from './stream-range.ts';
import { type WindowRows, windowsOf } from './windows.ts';

/** Rows that are searched for minutes at once. */
const SEARCHED_ROWS: WindowRows = { first: 100_000, next: 400_000 };

/**
 * The parts of a range that can hold records which meet a condition: where few do, the minutes of those alone. It yields one
 * part at least, so that a format is printed.
 */
export async function* matchingWindows(
  client: Archive,
  request: PageRequest & { readonly condition: Condition },
  range: StreamRange,
  density: ReportDensity,
  rows: WindowRows,
  signal: AbortSignal,
): AsyncGenerator<RowRange, undefined> {
  let isEmpty = true;
  for await (const part of windowsOf(request, range, density, SEARCHED_ROWS, signal)) {
    const { to } = part.window;
    const selection = { ...request, ...part, condition: request.condition };
    const found = await findMatchingMinutes(client, selection, MOST_NAMED_MINUTES + 1, signal);
    if (found.rows === undefined) continue;
    isEmpty = false;
    if (found.to === to) yield { ...part, ...found.rows };
    else yield* windowsOf(request, part, density, rows, signal);
  }
  if (isEmpty) yield { window: { from: range.window.from, to: range.window.from } };
}
