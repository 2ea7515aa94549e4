import type { Archive } from '../../archive.ts';
import type { CoverageStates } from '../../coverage/state/state.ts';
import type { Position } from '../../model/report.ts';
import { clampToArchive } from '../../model/time-window.ts';
import { POINT_READ } from '../../statements/query-settings.ts';
import { fillSql, readStatement } from '../../statements/sql.ts';
import { chosenColumns } from '../chosen-fields.ts';
import { recordLine } from '../record-line.ts';
import { bindSelection, type Representations, type RowSelection, selectedSql } from '../row-selection.ts';
import type { Selection } from '../selection.ts';
import { Windows } from '../windows.ts';
import { extractRecords } from './extract-records.ts';
import { readMatchingPage } from './matching-page.ts';
import { joinRecords, orderKeyAt, positionOf, type Records } from './records.ts';

export type PageRequest = Selection & {
  /** Maximum number of records. */
  readonly limit: number;
  /** The last record of the previous page. */
  readonly after?: Position;
};

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

/** Rows beyond a full page, so that a few unmerged replaced versions do not cost a second statement. */
const SPARE_ROWS = 16;

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
  signal: AbortSignal,
): Promise<Page> {
  const parts: Records[] = [];
  let missing = request.limit;
  const range = clampToArchive(request);
  if (range === undefined) return { records: joinRecords(parts) };
  let after = request.after;
  let from = Math.max(range.from, after?.observedAt ?? 0);
  const { condition } = request;
  const windows = new Windows(states, request);
  if (condition !== undefined)
    return readMatchingPage(archive, windows, { ...request, condition }, { from, to: range.to }, signal);
  while (from < range.to) {
    const rows = missing + 1 + SPARE_ROWS;
    const to = windows.end({ from, to: range.to }, rows);
    const printed = await readRows(archive, { ...request, window: { from, to }, after }, rows, signal);
    const found = extractRecords(printed, missing);
    if (found.records.count > 0) parts.push(found.records);
    missing -= found.records.count;
    if (found.isCut) return fullPage(joinRecords(parts));
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

function fullPage(records: Records): Page {
  return { records, next: positionOf(orderKeyAt(records, records.count - 1)) };
}

/**
 * The statement has only the clauses that a request needs: `raw` and `decoded` are wide columns, and even an
 * always-true condition would cost a fifth of a page.
 */
function readRows(
  archive: Archive,
  selection: RowSelection & Representations,
  rows: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const { fields } = selection;
  const query = fillSql(PAGE, {
    selected: selectedSql(selection),
    record: recordLine(selection),
    chosen: fields === undefined ? '' : `WITH ${chosenColumns(fields).join(', ')}`,
  });
  const { params, ofStations } = bindSelection(selection);
  return archive.select({ query, params: { ...params, rows }, ofStations, settings: POINT_READ }, signal);
}
