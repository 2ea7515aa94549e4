import type { Archive } from '../../archive.ts';
import { type RowRange, tableOf } from '../selection.ts';
import { isAllOf, restAfter, Windows } from '../windows.ts';
import { firstUniform, type StoredParts } from './stored-parts.ts';
import { countRows, type StreamRange, type StreamRequest } from './stream-range.ts';

/**
 * How many records a part should hold, unless one minute has more. With a condition: how many rows are `judged` to know how
 * many meet it. If no more than these can meet it, one statement reads them.
 */
export type PartRows = { readonly first: number; readonly next: number; readonly judged: number };

/** A part of a range, read by one statement. */
export type StreamPart = RowRange & {
  /** Whether its reports have one version each, also while its statement reads them: call it once the statement has begun. */
  readonly hasStillOneVersion?: () => Promise<boolean>;
};

/** The parts of a range, in order. Each begins where the previous one ends. */
export function* partsOf(
  request: StreamRequest,
  { window, last }: StreamRange,
  { first, next }: PartRows,
): Generator<StreamPart, undefined> {
  const { after, isDescending, states } = request;
  const windows = new Windows(states, request);
  for (let rest = window; ; ) {
    const isFirst = rest === window;
    const part = windows.first(rest, isFirst ? first : next);
    const isLast = isAllOf(rest, part);
    yield { window: part, ...(isFirst && { after }), ...(isLast && { last }) };
    if (isLast) return;
    rest = restAfter(rest, part, isDescending);
  }
}

/** Below this share of rows that meet the condition they are found first, unless there are few rows. */
const SPARSE = 1 / 8;
const FEW_ROWS = 20_000;
/** The keys of all rows of a part whose rows are found first may be in memory. */
const MOST_SPARSE_ROWS = 2_500_000;

/**
 * The same with a condition: the fewer of the first rows meet it, the more rows a part has. Where no report has another version,
 * a part is read in one pass, unless an insert or a merge has changed that: a statement has read which parts a table has before it
 * sends its first byte, so it is enough to look again then.
 */
export async function* matchingParts(
  archive: Archive,
  request: StreamRequest,
  range: StreamRange,
  { rows: sizes, stored }: { readonly rows: PartRows; readonly stored: StoredParts },
): AsyncGenerator<StreamPart, undefined> {
  const { isDescending, states } = request;
  const { rows: most = Number.POSITIVE_INFINITY } = range;
  const share = most <= sizes.judged ? 0 : await shareOfMatches(archive, request, range, sizes.judged);
  const next = Math.max(sizes.next, sizes.next / share);
  // The positions at both ends concern one minute each, so they may stand in any part.
  for (const { window: estimated, ...ends } of partsOf(request, range, { ...sizes, first: next, next }))
    for (let rest = estimated; ; ) {
      const table = tableOf({ ...request, window: rest }, true);
      const uniform = firstUniform(await stored.of(table), rest, isDescending);
      const hasOneVersion =
        uniform.hasOneVersion && tableOf({ ...request, window: uniform.window }, true) === table;
      const windows = new Windows(states, request);
      const window = hasOneVersion ? uniform.window : windows.first(uniform.window, MOST_SPARSE_ROWS);
      const few = windows.first(window, hasOneVersion ? MOST_SPARSE_ROWS : FEW_ROWS);
      const isSparse = share < SPARSE && !isAllOf(window, few);
      const search = hasOneVersion
        ? { isSparse, hasOneVersion, hasStillOneVersion: () => stored.areSame(table, window) }
        : { isSparse };
      yield { ...ends, window, ...search };
      if (isAllOf(rest, window)) break;
      rest = restAfter(rest, window, isDescending);
    }
}

/** About which share of rows meets the condition. */
async function shareOfMatches(
  archive: Archive,
  request: StreamRequest,
  { window: all }: StreamRange,
  judged: number,
): Promise<number> {
  const window = new Windows(request.states, request).first(all, judged);
  return (await countRows(archive, { ...request, window })) / judged;
}
