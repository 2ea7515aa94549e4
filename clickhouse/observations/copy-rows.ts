import type { Archive } from '../archive.ts';
import { FIELD_NAMES } from '../model/field-columns.ts';
import { calendarMonths, type TimeWindow } from '../model/time-window.ts';
import { REPORT_TABLES } from '../statements/current-reports.ts';
import { selectRow, selectRows } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';

export type ReportTable = (typeof REPORT_TABLES)[number];
type Direction = { readonly from: ReportTable; readonly to: ReportTable };

/** The first direction is for reports that were written to the first table alone, the second for those that only the later one still has. */
const [FIRST, SECOND] = REPORT_TABLES;
const DIRECTIONS: readonly Direction[] = [
  { from: FIRST, to: SECOND },
  { from: SECOND, to: FIRST },
];

const MISSING = readStatement('maintenance/missing_rows');
const COUNT = readStatement('maintenance/count_missing_rows');
const COPY = readStatement('maintenance/copy_missing_rows');
const MONTHS = readStatement('maintenance/months_with_reports');

/** Copies the rows of a window that a loader has written to the first table of reports and not to the second. */
export async function completeWrites(archive: Archive, window: TimeWindow): Promise<void> {
  // Month by month: the keys of the rows that the second table has are in memory.
  for (const month of calendarMonths(window))
    await copyMissingRows(archive, month, { from: FIRST, to: SECOND });
}

/**
 * Copies what one table of reports has of a window and the other lacks, as after a broken part.
 *
 * @returns how many rows were copied, by the table that lacked them
 */
export async function completeTables(
  archive: Archive,
  window: TimeWindow,
): Promise<ReadonlyMap<ReportTable, number>> {
  const copied = new Map<ReportTable, number>();
  for (const month of await monthsWithReports(archive, window))
    for (const direction of DIRECTIONS) {
      const rows = await copyMissingRows(archive, month, direction);
      if (rows > 0) copied.set(direction.to, (copied.get(direction.to) ?? 0) + rows);
    }
  return copied;
}

async function monthsWithReports(archive: Archive, window: TimeWindow): Promise<readonly TimeWindow[]> {
  const query = REPORT_TABLES.map((table) => fillSql(MONTHS, { table })).join('UNION DISTINCT\n');
  const rows = await selectRows<{ month: number }>(archive, { query, params: window });
  const months = new Set(rows.map(({ month }) => month));
  return [...calendarMonths(window)].filter(({ from }) => months.has(startOfMonth(from)));
}

function startOfMonth(time: number): number {
  const date = new Date(time * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / 1000;
}

/** @returns how many rows were missing */
async function copyMissingRows(archive: Archive, window: TimeWindow, direction: Direction): Promise<number> {
  const missingRows = fillSql(MISSING, direction);
  const count = { query: fillSql(COUNT, { missingRows }), params: window };
  const { rows } = await selectRow<{ rows: number }>(archive, count);
  if (rows === 0) return 0;
  const query = fillSql(COPY, { to: direction.to, fields: FIELD_NAMES.join(', '), missingRows });
  await archive.command({ query, params: window, settings: { optimize_on_insert: 0 } });
  return rows;
}
