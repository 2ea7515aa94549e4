import { type DayRun, dayNumber, SECONDS_PER_DAY, unionOf } from '../../model/day.ts';
import { isWithin, type TimeWindow } from '../../model/time-window.ts';
import type { ServedPart } from '../../statements/served-parts.ts';
import { type RowRange, tableOf } from '../selection.ts';
import { firstPart, firstWindow, isAllOf } from '../windows.ts';
import type { StreamRequest } from './stream-range.ts';

/** Below this share of rows that meet the condition they are found first, unless there are few rows. */
const SPARSE = 1 / 8;
const FEW_ROWS = 20_000;
/** The keys of all rows of a part whose rows are found first may be in memory. */
const MOST_SPARSE_ROWS = 2_500_000;

/**
 * The first part of a search, in the order of a reader: the fewer of its rows meet the condition, the more it has. Where no
 * report has another version, one pass reads it.
 *
 * @param rows how many it should have
 * @param share about which share of rows meets the condition
 */
export function firstSearch(
  request: StreamRequest,
  rest: TimeWindow,
  {
    rows,
    share,
    stored,
  }: { readonly rows: number; readonly share: number; readonly stored: readonly ServedPart[] },
): Pick<RowRange, 'window' | 'hasOneVersion' | 'isSparse'> {
  const estimated = firstWindow(request, rest, rows / Math.min(1, share));
  const table = tableOf({ ...request, window: estimated }, true);
  const ofTable = stored.filter((part) => part.table === table);
  const uniform = firstUniform(ofTable, estimated, request.isDescending);
  const hasOneVersion =
    uniform.hasOneVersion && tableOf({ ...request, window: uniform.window }, true) === table;
  const window = hasOneVersion ? uniform.window : firstWindow(request, uniform.window, MOST_SPARSE_ROWS);
  const few = firstWindow(request, window, hasOneVersion ? MOST_SPARSE_ROWS : FEW_ROWS);
  return { window, hasOneVersion, isSparse: share < SPARSE && !isAllOf(window, few) };
}

/**
 * The first part of a window, in the order of a reader, in which each report has one version, or in which none can be sure to
 * have one: whole days on which two stored parts of a partition have reports.
 */
export function firstUniform(
  stored: readonly ServedPart[],
  window: TimeWindow,
  isDescending = false,
): { readonly window: TimeWindow; readonly hasOneVersion: boolean } {
  const shared = sharedDays(stored);
  const begin = isDescending ? window.to - 1 : window.from;
  const edges = shared
    .flatMap(({ from, to }) => [from, to])
    .filter((time) => time > window.from && time < window.to);
  const end = isDescending ? Math.max(window.from, ...edges) : Math.min(window.to, ...edges);
  return {
    window: firstPart(window, end, isDescending),
    hasOneVersion: !shared.some((days) => isWithin(begin, days)),
  };
}

function sharedDays(stored: readonly ServedPart[]): readonly TimeWindow[] {
  /** Where the parts of a partition so far end. */
  const ends = new Map<string, number>();
  const runs = stored
    .toSorted((a, b) => a.from - b.from)
    .flatMap(({ name, from, to }): readonly DayRun[] => {
      // With its shard.
      const partition = name.slice(0, name.indexOf('_'));
      const end = ends.get(partition) ?? from;
      ends.set(partition, Math.max(end, to));
      if (end <= from) return [];
      return [{ first: dayNumber(from), end: dayNumber(Math.min(end, to) - 1) + 1 }];
    });
  return unionOf(runs).map(({ first, end }) => ({
    from: first * SECONDS_PER_DAY,
    to: end * SECONDS_PER_DAY,
  }));
}

/** Whether the same parts have the reports of a window at two moments. */
export function hasSameParts(
  before: readonly ServedPart[],
  now: readonly ServedPart[],
  table: string,
  { from, to }: TimeWindow,
): boolean {
  const namesOf = (stored: readonly ServedPart[]) =>
    stored
      .flatMap((part) => (part.table === table && part.from < to && part.to > from ? part.name : []))
      .sort();
  return namesOf(before).join() === namesOf(now).join();
}
