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

/** Searches under way at once: a statement of theirs has one thread. */
const SEARCHES = 2;

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
  const parts = windowsOf(request, range, density, SEARCHED_ROWS, signal);
  const searchNext = async () => {
    const { value: part } = await parts.next();
    if (part === undefined) return undefined;
    const selection = { ...request, ...part, condition: request.condition };
    return { part, found: await findMatchingMinutes(client, selection, MOST_NAMED_MINUTES + 1, signal) };
  };
  let isEmpty = true;
  for await (const { part, found } of runAhead(searchNext, SEARCHES)) {
    if (found.rows === undefined) continue;
    isEmpty = false;
    if (found.to === part.window.to) yield { ...part, ...found.rows };
    else yield* windowsOf(request, part, density, rows, signal);
  }
  if (isEmpty) yield { window: { from: range.window.from, to: range.window.from } };
}

/**
 * Calls `next` until it resolves to undefined, and yields its values in order.
 *
 * @param calls how many calls run at the same time
 */
async function* runAhead<T>(next: () => Promise<T | undefined>, calls: number): AsyncGenerator<T, undefined> {
  const begin = () => {
    const call = next();
    // It is reported where it is waited for.
    call.catch(() => {});
    return call;
  };
  const begun = Array.from({ length: calls }, begin);
  for (;;) {
    const value = await begun.shift();
    if (value === undefined) return undefined;
    begun.push(begin());
    yield value;
  }
}
