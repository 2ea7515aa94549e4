import type { Archive } from '../../archive.ts';
import type { Condition } from '../../conditions/condition.ts';
import type { TimeWindow } from '../../model/time-window.ts';
import { POINT_READ } from '../../statements/query-settings.ts';
import { fillSql, readStatement } from '../../statements/sql.ts';
import { recordLine } from '../record-line.ts';
import { bindSelection, type RowSelection, readColumns, selectedVersions } from '../row-selection.ts';
import type { Windows } from '../windows.ts';
import { extractRecords } from './extract-records.ts';
import type { Page, PageRequest } from './page.ts';
import { joinRecords, lastPositionBefore, orderKeyAt, positionOf, type Records } from './records.ts';

const MATCHING_PAGE = readStatement('observations/matching_page');

/**
 * How many rows one page searches, as estimated from coverage; the next page continues. Half a second on the two shared
 * cores on which this was measured (DESIGN.md).
 */
const MOST_ROWS = 300_000;
/** Up to this many rows, each record is read and checked; beyond, the keys of matching rows are looked up first. */
const FEW_ROWS = 20_000;
const WIDEN = 16;

/**
 * A page of the records for which a condition is true (D42). It searches ever longer windows, at most `MOST_ROWS` rows
 * in all, so a page can be shorter than `limit` or empty; `next` then says how far it has searched.
 */
export async function readMatchingPage(
  archive: Archive,
  windows: Windows,
  request: PageRequest & { readonly condition: Condition },
  range: TimeWindow,
  signal: AbortSignal,
): Promise<Page> {
  const { stations, limit } = request;
  const parts: Records[] = [];
  let missing = limit;
  let after = request.after;
  let from = range.from;
  let searched = 0;
  for (let rows = limit + 1; from < range.to; rows *= WIDEN) {
    if (searched >= MOST_ROWS)
      return { records: joinRecords(parts), next: lastPositionBefore(from, stations), isShort: true };
    const count = Math.min(rows, MOST_ROWS - searched);
    searched += count;
    const to = windows.end({ from, to: range.to }, count);
    const selection = { ...request, window: { from, to }, after, isSparse: count > FEW_ROWS };
    const { records, isCut } = await readRecords(archive, selection, missing, signal);
    if (records.count > 0) parts.push(records);
    missing -= records.count;
    if (isCut) {
      const joined = joinRecords(parts);
      return { records: joined, next: positionOf(orderKeyAt(joined, joined.count - 1)) };
    }
    [from, after] = [to, undefined];
  }
  return { records: joinRecords(parts) };
}

type Selection = RowSelection & Pick<PageRequest, 'raw' | 'decoded' | 'fields'>;

async function readRecords(archive: Archive, selection: Selection, count: number, signal: AbortSignal) {
  const highestVersions = selectedVersions(selection, readColumns(selection));
  const query = fillSql(MATCHING_PAGE, { highestVersions, record: recordLine(selection) });
  const { params, ofStations } = bindSelection(selection);
  const select = { query, params: { ...params, rows: count + 1 }, ofStations, settings: POINT_READ };
  return extractRecords(await archive.select(select, signal), count);
}
