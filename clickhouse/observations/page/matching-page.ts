import type { Archive } from '../../archive.ts';
import type { Condition } from '../../conditions/condition.ts';
import type { TimeWindow } from '../../model/time-window.ts';
import { POINT_READ } from '../../statements/query-settings.ts';
import { fillSql, readSqlFile } from '../../statements/sql-file.ts';
import { findMatchingMinutes } from '../matching-minutes.ts';
import { recordLine } from '../record-line.ts';
import type { ReportDensity } from '../report-density.ts';
import { bindSelection, type RowSelection, readColumns, selectedVersions } from '../row-selection.ts';
import { type Extract, extractRecords } from './extract-records.ts';
import type { Page, PageRequest } from './page.ts';
import { joinRecords, lastPositionBefore, orderKeyAt, positionOf, type Records } from './records.ts';

const MATCHING_PAGE = readSqlFile('observations/matching_page');

/**
 * How many rows one page searches by the estimate of the coverage; what takes longer is for the next page. Half a second on
 * the two shared cores on which this was measured (DESIGN.md).
 */
const MOST_ROWS = 300_000;
/** Of so many rows the records are read at once; of more the matching minutes are looked for first. */
const FEW_ROWS = 20_000;
const WIDEN = 16;

/**
 * A page of the records for which a condition is true (D42). It looks at windows that become longer, and at no more than
 * `MOST_ROWS` in all: so a page can be shorter than `limit` or empty, and `next` then says how far it has searched.
 */
export async function readMatchingPage(
  client: Archive,
  density: ReportDensity,
  request: PageRequest & { readonly condition: Condition },
  range: TimeWindow,
  signal: AbortSignal,
): Promise<Page> {
  const { stations, types, limit } = request;
  const windows = density.windows(stations, types);
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
    const to = await windows.end({ from, to: range.to }, count, signal);
    const window = { ...request, window: { from, to }, after };
    const found = await search(client, window, missing, count, signal);
    const { records } = found;
    if (records !== undefined && records.records.count > 0) parts.push(records.records);
    missing -= records?.records.count ?? 0;
    if (records?.isCut === true) {
      const joined = joinRecords(parts);
      return { records: joined, next: positionOf(orderKeyAt(joined, joined.count - 1)) };
    }
    [from, after] = [found.to, undefined];
  }
  return { records: joinRecords(parts) };
}

type Selection = RowSelection & Pick<PageRequest, 'raw' | 'decoded' | 'fields'>;

/** @returns `to`: so far the window was searched */
async function search(
  client: Archive,
  selection: Selection & { readonly condition: Condition },
  count: number,
  rows: number,
  signal: AbortSignal,
): Promise<{ readonly records?: Extract; readonly to: number }> {
  if (rows <= FEW_ROWS)
    return { records: await readRecords(client, selection, count, signal), to: selection.window.to };
  const found = await findMatchingMinutes(client, selection, count + 1, signal);
  if (found.rows === undefined) return { to: found.to };
  const records = await readRecords(client, { ...selection, ...found.rows }, count, signal);
  return { records, to: found.to };
}

async function readRecords(client: Archive, selection: Selection, count: number, signal: AbortSignal) {
  const highestVersions = selectedVersions(selection, readColumns(selection));
  const query = fillSql(MATCHING_PAGE, { highestVersions, record: recordLine(selection) });
  const { params, ofStations } = bindSelection(selection);
  const select = { query, params: { ...params, rows: count + 1 }, ofStations, settings: POINT_READ };
  return extractRecords(await client.select(select, signal), count);
}
