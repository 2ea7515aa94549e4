import type { Archive, Select } from '../../archive.ts';
import { SECONDS_PER_MINUTE } from '../../model/day.ts';
import type { ReportType } from '../../model/report.ts';
import { NO_TIME, type TimeWindow } from '../../model/time-window.ts';
import { POINT_READ, planSettings, selectRow, selectRows } from '../../statements/select.ts';
import { readServedParts, type ServedPart } from '../../statements/served-parts.ts';
import { fillSql, readStatement } from '../../statements/sql.ts';
import { positionBefore } from '../records.ts';
import {
  andMeets,
  bindSelection,
  currentReports,
  orderOf,
  type PageRequest,
  type RowSelection,
  rangeAfter,
  selectedRows,
  tableOf,
} from '../selection.ts';
import { firstPart, firstWindow, isAllOf, REACH_GROWTH, restAfter, type WindowRequest } from '../windows.ts';
import type { StreamFormat } from './output-formats.ts';

export type StreamRequest = PageRequest &
  WindowRequest & {
    readonly format: StreamFormat;
    /** The response must not be cut. */
    readonly isWhole: boolean;
    /** The parts as they were at most a second ago; read if absent. */
    readonly parts?: readonly ServedPart[] | undefined;
  };

/** The rows of a stream. `last` is present if another record follows it, or if the search for a condition ended there. */
export type StreamRange = Pick<RowSelection, 'window' | 'last'> & {
  /** The search for records that meet the condition ended before finding `limit` of them. */
  readonly isShort?: boolean;
  /** At most this many rows can be records, replaced versions included; absent if the records themselves were counted. */
  readonly rows?: number;
};

const ROW_COUNT = readStatement('observations/row_count');
const CANDIDATE_ROWS = readStatement('observations/candidate_rows');
const RANGE_END = readStatement('observations/range_end');

/** Checking this many rows takes two to three seconds (docs/design.md); a stream that needs more ends there (D42). */
const JUDGED_ROWS = 10_000_000;

/** Counting the matches among this many rows takes as long as estimating them. */
const FEW_ROWS = 400_000;

/** Below 1, so that the next window holds fewer rows even if they are unevenly spread. */
const SHRINK = 0.9;

/** A response that must be whole has too many records. The message gives the reason, for the detail of a problem. */
export class CutRangeError extends Error {
  override readonly name = 'CutRangeError';
}

/** Fixes the end of a stream. @throws {CutRangeError} where it must be whole but would be cut */
export async function fixRange(
  archive: Archive,
  request: StreamRequest,
  judgedRows = JUDGED_ROWS,
): Promise<StreamRange> {
  const range = await findEnd(archive, request, judgedRows);
  if (!request.isWhole || range.last === undefined) return range;
  const { limit, condition } = request;
  const [most, judged] = [limit, judgedRows].map((number) => number.toLocaleString('en'));
  if (range.isShort)
    throw new CutRangeError(
      `a condition is judged on at most ${judged} reports for one response, and the range holds more`,
    );
  if (condition !== undefined)
    throw new CutRangeError(
      `the condition is true for more than ${most} records, the most that one response holds`,
    );
  const rows = await countRows(archive, { ...request, window: rangeAfter(request) ?? NO_TIME });
  throw new CutRangeError(
    `the range holds about ${rows.toLocaleString('en')} records, and one response at most ${most}`,
  );
}

/**
 * Finds where a stream ends: at the end of the requested range if that has at most `limit` rows (with replaced versions), else at
 * the last record of the answer. With a condition, only rows that meet it count, among the first `judgedRows`.
 */
async function findEnd(archive: Archive, request: StreamRequest, judgedRows: number): Promise<StreamRange> {
  const requested = rangeAfter(request);
  if (requested === undefined) return { window: NO_TIME };
  const { limit, condition, isDescending } = request;
  let searched = requested;
  let rowsOfRecord = 1;
  if (condition !== undefined) {
    const all = { ...request, window: requested };
    const table = tableOf(all, true);
    const served = request.parts ?? (await readServedParts(archive));
    const parts = served.filter((part) => part.table === table);
    const stored = parts.reduce((sum, { rows }) => sum + rows, 0);
    const isLarge = !isAllOf(requested, firstWindow(request, requested, FEW_ROWS));
    // A cluster gives no estimate, because EXPLAIN counts the rows of one server only.
    const isOneServer = parts.every(({ name }) => name.startsWith('0-'));
    const most = isLarge && isOneServer ? await mostRows(archive, all, stored) : stored;
    if (isLarge && most <= limit) return { window: requested, rows: most };
    if (stored > judgedRows) searched = await firstRows(archive, all, judgedRows);
    const matches = await countRows(archive, { ...request, window: searched });
    if (matches <= limit) return { ...endOfSearch(request, requested, searched), rows: matches };
    rowsOfRecord = Math.min(stored, judgedRows) / matches;
  }
  for (let rows = (limit + 1) * rowsOfRecord; ; rows *= REACH_GROWTH) {
    const window = firstWindow(request, searched, rows);
    const selection = { ...request, window };
    const isWhole = isAllOf(searched, window);
    if (isWhole && condition === undefined) {
      const rows = await countRows(archive, selection);
      if (rows <= limit) return { window, rows };
    }
    const last = await readLast(archive, selection, limit);
    if (last !== undefined) {
      const { observedAt } = last;
      return { window: firstPart(window, isDescending ? observedAt : observedAt + 1, isDescending), last };
    }
    if (isWhole) return endOfSearch(request, requested, window);
  }
}

/** An upper bound of the number of rows that meet the condition, found without reading them. */
async function mostRows(archive: Archive, selection: StreamRequest & RowSelection, stored: number) {
  // Finding the keys of most of a table takes two thirds of the time, and excludes few of its rows.
  const isMost = !isAllOf(selection.window, firstWindow(selection, selection.window, stored / 2));
  const rows = isMost ? `${tableOf(selection, true)} AS report\nWHERE TRUE` : selectedRows(selection);
  const select = selectOf(selection, CANDIDATE_ROWS, { rows });
  const [candidates] = await selectRows<{ rows: number }>(archive, select);
  return Number(candidates?.rows ?? 0);
}

/** The first part of the window of a selection that has at most `most` rows. */
async function firstRows(
  archive: Archive,
  { condition, ...selection }: StreamRequest & RowSelection,
  most: number,
): Promise<TimeWindow> {
  const { window: all, isDescending } = selection;
  let window = firstWindow(selection, all, most);
  for (;;) {
    const rows = await countRows(archive, { ...selection, window });
    const minutes = Math.floor((window.to - window.from) / SECONDS_PER_MINUTE);
    if (rows <= most || minutes <= 1) return window;
    // The window is too long, because the estimate counts hours with a report, and an hour may have several.
    const seconds = Math.max(1, Math.floor((minutes * SHRINK * most) / rows)) * SECONDS_PER_MINUTE;
    window = firstPart(window, isDescending ? window.to - seconds : window.from + seconds, isDescending);
  }
}

/** A stream that has searched the first part of the requested range, which may be all of it. */
function endOfSearch({ stations, isDescending }: PageRequest, requested: TimeWindow, window: TimeWindow) {
  if (isAllOf(requested, window)) return { window };
  const rest = restAfter(requested, window, isDescending);
  return { window, last: positionBefore(rest, stations, isDescending), isShort: true };
}

function selectOf(
  selection: RowSelection,
  template: string,
  clauses: Readonly<Record<string, string>>,
  params?: Readonly<Record<string, unknown>>,
): Select {
  return {
    query: fillSql(template, { ...clauses, andMeets: andMeets(selection) }),
    ...bindSelection(selection, params),
    settings: { ...POINT_READ, ...planSettings(selection) },
  };
}

/** Rows that meet the condition, if there is one, replaced versions included. */
export async function countRows(archive: Archive, selection: RowSelection): Promise<number> {
  const select = selectOf(selection, ROW_COUNT, { rows: selectedRows(selection) });
  return (await selectRow<{ rows: number }>(archive, select)).rows;
}

/** The record with this number, counted from 1, if another one follows it. */
async function readLast(archive: Archive, selection: RowSelection, number: number) {
  const clauses = { reports: currentReports(selection), order: orderOf(selection) };
  const select = selectOf(selection, RANGE_END, clauses, { recordsBefore: number - 1 });
  const [last, next] = await selectRows<PositionRow>(archive, select, 'JSONCompactEachRow');
  if (last === undefined || next === undefined) return undefined;
  const [observedAt, station, type, fingerprint] = last;
  return { observedAt, station, type, fingerprint };
}

type PositionRow = readonly [observedAt: number, station: string, type: ReportType, fingerprint: string];
