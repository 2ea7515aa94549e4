import type { Archive, StatementSettings } from '../archive.ts';
import type { CoverageStates } from '../coverage/rules.ts';
import type { Position } from '../model/report.ts';
import { KEEPS_BLOCKS, POINT_READ, planSettings } from '../statements/select.ts';
import { hiddenIn } from './hidden-reports.ts';
import { selectRecordLines } from './record-columns.ts';
import { joinRecords, positionAt, positionBefore, type Records, recordsOfLines } from './records.ts';
import { type PageRequest, rangeAfter } from './selection.ts';
import { firstWindow, REACH_GROWTH, restAfter } from './windows.ts';

export type FoundRecords = {
  readonly records: Records;
  /**
   * The position after which the next page begins, that of the last record; present only if another record follows.
   * With a condition it may also be where the search ended, with no record after it.
   */
  readonly next?: Position;
};

/**
 * How many rows one page searches, as estimated from coverage; the next page continues. Half a second on the two shared
 * cores on which this was measured (docs/design.md).
 */
const MOST_ROWS = 300_000;

/**
 * For few rows, sorting costs less than reading in order, in which FINAL compares each row with the next even if one part has all
 * of them. One block costs less than several that are ended by their bytes, and compiling expressions does not pay.
 */
const PAGE_READ: StatementSettings = {
  ...POINT_READ,
  ...KEEPS_BLOCKS,
  optimize_read_in_order: 0,
  preferred_block_size_bytes: '0',
  compile_expressions: 0,
};
/** The first window has hardly more rows than its page, so they are printed before they are sorted: one column to move, not 76. */
const FIRST_WINDOW: StatementSettings = { ...PAGE_READ, query_plan_execute_functions_after_sorting: 0 };

/**
 * Reads up to `limit` records (D11, D12), each report once, whatever has been merged and while loaders insert.
 *
 * It reads the time window that should hold the page, and continues from its end if it does not, so the length of the
 * range and the depth of the cursor cost nothing. The window size affects only the number of statements, never what is
 * read.
 *
 * With a condition (D42) it searches ever longer windows, at most `MOST_ROWS` rows in all, so a page can be shorter than
 * `limit` or empty; `next` then says how far it has searched.
 *
 * @param states of the stations, to estimate windows
 */
export async function findRecords(
  archive: Archive,
  request: PageRequest,
  states: CoverageStates,
): Promise<FoundRecords> {
  const range = rangeAfter(request);
  if (range === undefined) return { records: joinRecords([]) };
  const { stations, limit, condition, isDescending } = request;
  const hidden = hiddenIn(states, request);
  const mostRows = condition === undefined ? Number.POSITIVE_INFINITY : MOST_ROWS;
  const parts: Records[] = [];
  let { limit: missing, after } = request;
  let searched = 0;
  let rows = limit + 1;
  for (let rest = range; rest.from < rest.to; rows *= REACH_GROWTH) {
    if (searched >= mostRows)
      return { records: joinRecords(parts), next: positionBefore(rest, stations, isDescending) };
    const count = Math.min(rows, mostRows - searched);
    searched += count;
    const window = firstWindow({ ...request, states }, rest, count);
    const isFirst = rows === limit + 1;
    const select = selectRecordLines(
      { ...request, window, after, isSparse: !isFirst, hidden },
      'TSVRaw',
      missing + 1,
    );
    const settings = { ...(isFirst ? FIRST_WINDOW : PAGE_READ), ...planSettings(request) };
    const found = recordsOfLines(await archive.select({ ...select, settings }));
    if (found.count > missing) {
      const records = joinRecords([...parts, found], limit);
      return { records, next: positionAt(records, records.count - 1) };
    }
    parts.push(found);
    missing -= found.count;
    rest = restAfter(rest, window, isDescending);
    after = undefined;
  }
  return { records: joinRecords(parts) };
}
