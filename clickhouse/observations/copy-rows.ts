import type { Archive } from '../archive.ts';
import { FIELD_NAMES } from '../model/field-columns.ts';
import { calendarMonths, type StationRange, type TimeWindow } from '../model/time-window.ts';
import { REPORT_TABLES } from '../statements/current-reports.ts';
import { POINT_READ, selectRow } from '../statements/select.ts';
import { readServedParts } from '../statements/served-parts.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import type { ReportTable } from './selection.ts';

const [FIRST, SECOND] = REPORT_TABLES;

const MISSING_ROWS = readStatement('maintenance/missing_rows');
const COUNT = readStatement('maintenance/count_missing_rows');
const COPY = readStatement('maintenance/copy_missing_rows');

/**
 * Copies rows that a loader has written to the first table of reports but not to the second.
 *
 * @returns how many rows were copied
 */
export async function completeWrites(archive: Archive, range: StationRange): Promise<number> {
  let rows = 0;
  for (const part of inParts(range)) rows += await copyMissingRows(archive, part, SECOND);
  return rows;
}

/** For more stations than this, a statement reads the rows of all stations. */
const MAX_NAMED = 200;

/** Divides a range, because the engine has the keys of one table in memory: those of a few stations, or of one month. */
function inParts({ stations, ...window }: StationRange): readonly StationRange[] {
  return stations.length > 0 && stations.length <= MAX_NAMED
    ? [{ stations, ...window }]
    : [...calendarMonths(window)].map((month) => ({ stations: [], ...month }));
}

/**
 * Copies the rows of a window that one table of reports has and the other lacks, as after a part was broken.
 *
 * @returns how many rows were copied, by the table that lacked them
 */
export async function completeTables(archive: Archive, window: TimeWindow) {
  const copied = new Map<ReportTable, number>();
  const parts = await readServedParts(archive);
  for (const month of calendarMonths(window)) {
    if (!parts.some(({ from, to }) => from < month.to && to > month.from)) continue;
    // First the rows that only the first table has, then those that only the second table still has.
    for (const to of [SECOND, FIRST]) {
      const rows = await copyMissingRows(archive, { stations: [], ...month }, to);
      if (rows > 0) copied.set(to, (copied.get(to) ?? 0) + rows);
    }
  }
  return copied;
}

async function copyMissingRows(archive: Archive, range: StationRange, to: ReportTable): Promise<number> {
  const ofStations = range.stations.length === 0 ? 'true' : 'station IN {stations:Array(String)}';
  const missingRows = fillSql(MISSING_ROWS, { from: to === FIRST ? SECOND : FIRST, to, ofStations });
  const select = { query: fillSql(COUNT, { missingRows }), params: range, settings: POINT_READ };
  const { rows } = await selectRow<{ rows: number }>(archive, select);
  if (rows === 0) return 0;
  const query = fillSql(COPY, { to, fields: FIELD_NAMES.join(', '), missingRows });
  // Shards that copied by themselves would know neither the database nor the rows of the subquery.
  const settings = { optimize_on_insert: 0, parallel_distributed_insert_select: '0' } as const;
  await archive.command({ query, params: range, settings });
  return rows;
}
