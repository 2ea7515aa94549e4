import type { Archive } from '../archive.ts';
import type { CoverageStates } from '../coverage/state.ts';
import type { Position } from '../model/report.ts';
import type { TimeWindow } from '../model/time-window.ts';
import { POINT_READ } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { chosenColumns, type Representations, readColumns, recordLine } from './record-columns.ts';
import {
  extractRecords,
  joinRecords,
  lastPositionBefore,
  orderKeyAt,
  positionOf,
  type Records,
} from './records.ts';
import {
  bindSelection,
  type PageRequest,
  type RowSelection,
  rangeAfter,
  selectedReports,
  selectedSql,
} from './selection.ts';
import { Windows } from './windows.ts';

export type Page = {
  readonly records: Records;
  /**
   * The position after which the next page begins, that of the last record; present only if another record follows.
   * With a condition it may also be where the search ended, with no record after it.
   */
  readonly next?: Position;
  /** The search for records that meet the condition ended before finding `limit` of them. */
  readonly isShort?: boolean;
};

const PAGE = readStatement('observations/page');
const REPORTS = readStatement('observations/reports');

/** Rows beyond a full page, so that a few unmerged replaced versions do not cost a second statement. */
const SPARE_ROWS = 16;

/**
 * How many rows one page searches, as estimated from coverage; the next page continues. Half a second on the two shared
 * cores on which this was measured (DESIGN.md).
 */
const MOST_ROWS = 300_000;
/** Up to this many rows, each record is read and checked; beyond, the keys of matching rows are looked up first. */
const FEW_ROWS = 20_000;
/** How much longer each window of a search is than the one before. */
const WIDEN = 16;

/**
 * Reads the records of one page (D11, D12), each report once, whatever has been merged and while loaders insert.
 *
 * It reads the time window that should hold the page, and continues from its end if it does not, so the length of the
 * range and the depth of the cursor cost nothing. The window size affects only the number of statements, never what is
 * read.
 *
 * @param states of its stations, for an estimate
 */
export async function readPage(
  archive: Archive,
  request: PageRequest,
  states: CoverageStates,
): Promise<Page> {
  const range = rangeAfter(request);
  if (range === undefined) return { records: joinRecords([]) };
  const windows = new Windows(states, request);
  if (request.condition !== undefined) return readMatchingPage(archive, windows, request, range);
  const parts: Records[] = [];
  let { limit: missing, after } = request;
  for (let { from } = range; from < range.to; ) {
    const rows = missing + 1 + SPARE_ROWS;
    const to = windows.end({ from, to: range.to }, rows);
    const printed = await readRows(archive, { ...request, window: { from, to }, after }, rows);
    const found = extractRecords(printed, missing);
    parts.push(found.records);
    missing -= found.records.count;
    if (found.isCut) return fullPage(parts);
    if (found.rows === rows && found.lastKey !== undefined) {
      after = positionOf(found.lastKey);
      from = after.observedAt;
    } else {
      from = to;
      windows.widen();
    }
  }
  return { records: joinRecords(parts) };
}

/**
 * The statement has only the clauses that a request needs: `raw` and `decoded` are wide columns, and even an
 * always-true condition would cost a fifth of a page.
 */
function readRows(
  archive: Archive,
  selection: RowSelection & Representations,
  rows: number,
): Promise<Buffer> {
  const { fields } = selection;
  const query = fillSql(PAGE, {
    selected: selectedSql(selection),
    record: recordLine(selection),
    chosen: fields === undefined ? '' : `WITH ${chosenColumns(fields).join(', ')}`,
  });
  return archive.select({ query, ...bindSelection(selection, { rows }), settings: POINT_READ });
}

/**
 * A page of the records for which a condition is true (D42). It searches ever longer windows, at most `MOST_ROWS` rows
 * in all, so a page can be shorter than `limit` or empty; `next` then says how far it has searched.
 */
async function readMatchingPage(
  archive: Archive,
  windows: Windows,
  request: PageRequest,
  range: TimeWindow,
): Promise<Page> {
  const { stations, limit } = request;
  const parts: Records[] = [];
  let { limit: missing, after } = request;
  let { from } = range;
  let searched = 0;
  for (let rows = limit + 1; from < range.to; rows *= WIDEN) {
    if (searched >= MOST_ROWS)
      return { records: joinRecords(parts), next: lastPositionBefore(from, stations), isShort: true };
    const count = Math.min(rows, MOST_ROWS - searched);
    searched += count;
    const to = windows.end({ from, to: range.to }, count);
    const selection = { ...request, window: { from, to }, after, isSparse: count > FEW_ROWS };
    const found = extractRecords(await readMatches(archive, selection, missing + 1), missing);
    parts.push(found.records);
    missing -= found.records.count;
    if (found.isCut) return fullPage(parts);
    [from, after] = [to, undefined];
  }
  return { records: joinRecords(parts) };
}

function readMatches(
  archive: Archive,
  selection: RowSelection & Representations,
  rows: number,
): Promise<Buffer> {
  const query = fillSql(REPORTS, {
    columns: recordLine(selection),
    reports: selectedReports(selection, readColumns(selection)),
    limit: 'LIMIT {rows:UInt32}',
    format: 'TSVRaw',
  });
  return archive.select({ query, ...bindSelection(selection, { rows }), settings: POINT_READ });
}

function fullPage(parts: readonly Records[]): Page {
  const records = joinRecords(parts);
  return { records, next: positionOf(orderKeyAt(records, records.count - 1)) };
}
