import type { Readable } from 'node:stream';
import type { Archive, Select } from '../archive.ts';
import { type Condition, conditionSql, fieldsIn } from '../conditions/condition.ts';
import type { ConditionFields } from '../conditions/fields.ts';
import type { DayRange } from '../model/day.ts';
import { joinRecords, type Records, recordsOfLines } from '../observations/records.ts';
import { joinWindows, type RecordStream } from '../observations/stream/join-windows.ts';
import { type RowFormat, type StreamFormat, streamSettings } from '../observations/stream/output-formats.ts';
import { type Printed, printRows, type RowColumn } from '../statements/print-rows.ts';
import { ONE_THREAD_READ } from '../statements/select.ts';
import { fillSql, readStatement, SqlParameters } from '../statements/sql.ts';
import type { Clock } from '../zones/clocks.ts';
import type { LocalTexts } from '../zones/local-texts.ts';
import type { Offset } from '../zones/zone-offsets.ts';
import type { DaysUntilNow } from './days-until-now.ts';
import type { DaySource } from './fields.ts';
import { RecordGrid, type RecordPosition, type RecordRange, type RecordWindow } from './record-grid.ts';

/** Records of stations, one for each day, month or month of a mean year: what they have, and where statements find them. */
export type RecordTable = {
  /** What answers have before the fields; `station` first. */
  readonly keys: readonly RowColumn[];
  readonly fields: ReadonlyMap<string, RowColumn>;
  readonly conditionFields: ConditionFields;
  /** The column that orders the records of a station, and its value in a printed record as a number. */
  readonly order: string;
  readonly numberOf: (record: Readonly<Record<string, unknown>>) => number;
  readonly rangeOf: (days: DaysUntilNow, offsets: readonly Offset[]) => RecordRange;
  /** Rows that one statement reads, of a range of days. */
  readonly rowsOfWindow: (days: DayRange) => number;
  /** The rows of a window; those after the present of a station have no `expected`. */
  readonly open: (archive: Archive, asked: OpenedWindow, signal?: AbortSignal) => Promise<DaySource>;
};

export const key = (name: string, type: RowColumn['type'], meaning: string): RowColumn => ({
  name,
  sql: name,
  type,
  meaning,
});
export const STATION = key('station', 'String', 'ICAO code of the station');

export type OpenedWindow = {
  readonly days: DaysUntilNow;
  /** With the stations of the window alone. */
  readonly clocks: readonly Clock[];
  readonly window: RecordWindow;
  /** Those that the statement names. */
  readonly fields: readonly string[];
};

export type RecordsAsked = {
  readonly archive: Archive;
  readonly table: RecordTable;
  readonly days: DaysUntilNow;
  /** Each station of the request belongs to one. */
  readonly clocks: readonly Clock[];
  readonly signal?: AbortSignal | undefined;
};

export type RecordRequest = RecordsAsked & {
  /** In the order of the answer. */
  readonly fields: readonly string[];
  readonly condition?: Condition | undefined;
  readonly isDescending?: boolean;
  /** Prints times; in UTC if it is absent. */
  readonly local?: LocalTexts | undefined;
  readonly limit: number;
  readonly after?: RecordPosition | undefined;
};

/** The records of a request, as far as they are known before anything is read. */
export function gridOf({ table, days, clocks }: RecordsAsked, isDescending = false): RecordGrid {
  const ranges = clocks.flatMap(({ stations, offsets }) => {
    const range = table.rangeOf(days, offsets);
    return stations.map((station) => [station, range] as const);
  });
  return new RecordGrid(new Map(ranges), isDescending);
}

export type RecordStatement = {
  readonly printed: Printed;
  /** @param records the clause FROM */
  readonly query: (records: string, format: string) => string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The fields that it names. */
  readonly fields: readonly string[];
};

async function selectOfWindow(
  { archive, table, days, clocks, signal }: RecordsAsked,
  window: RecordWindow,
  { printed, query, params, fields }: RecordStatement,
  format = printed.format,
): Promise<Select> {
  const stations = new Set(window.stations);
  const ofWindow = clocks.flatMap((clock) => {
    const own = clock.stations.filter((station) => stations.has(station));
    return own.length === 0 ? [] : [{ ...clock, stations: own }];
  });
  const source = await table.open(archive, { days, clocks: ofWindow, window, fields }, signal);
  return {
    query: query(source.from, format),
    params: { ...source.params, ...printed.params, ...params },
    ...(source.file && { file: source.file }),
    settings: {
      ...ONE_THREAD_READ,
      // Conditions are on stored values, also where a column of the answer has the name.
      prefer_column_name_to_alias: 1,
      ...printed.settings,
    },
  };
}

const RECORDS = readStatement('records/records');

function recordStatement(
  { table, fields, condition, isDescending, local }: RecordRequest,
  format: RowFormat,
  limit?: number,
): RecordStatement {
  const columns = fields.map((name) => table.fields.get(name) as RowColumn);
  const printed = printRows([...table.keys, ...columns], format, local);
  const parameters = new SqlParameters('filter');
  const meets = condition && conditionSql(condition, parameters, table.conditionFields);
  return {
    printed,
    query: (records, printedAs) =>
      fillSql(RECORDS, {
        columns: printed.columns,
        records,
        andMeets: meets === undefined ? '' : `AND (${meets})`,
        order: `${table.order}${isDescending ? ' DESC' : ''}`,
        limit: limit === undefined ? '' : 'LIMIT {limit:UInt32}',
        format: printedAs,
      }),
    params: { ...parameters.values, ...(limit !== undefined && { limit }) },
    fields: storedNames(table.fields, [...fields, ...(condition === undefined ? [] : fieldsIn(condition))]),
  };
}

/** The stored fields that a statement reads for these: a day without a gust is compared where its wind is known. */
export function storedNames(fields: RecordTable['fields'], names: readonly string[]): readonly string[] {
  const stored = names.map((name) => fields.get(name)?.stored ?? name);
  return [...new Set([...stored, ...(stored.includes('max_gust_kt') ? ['max_wspd_kt'] : [])])];
}

/** Days whose records one statement reads. What is computed for it is in memory, up to 300 bytes a day. */
export const DAYS_OF_WINDOW = 10_000;
/** A window of a stream has this many times the days: a statement takes 50 ms, and 10,000 stored days only 1 ms of them. */
const WINDOWS_OF_STREAM = 5;
/** How long a page is read; the next page continues after the window that it is in. */
const PAGE_MS = 1000;

/** Consecutive records, and the one after which the next page begins, if another follows or may follow. */
export type RecordPage = { readonly records: Records; readonly next?: RecordPosition };

export async function readRecordPage(request: RecordRequest): Promise<RecordPage> {
  const { table, condition, limit, after } = request;
  const grid = gridOf(request, request.isDescending);
  const firstRow = grid.rowAfter(after);
  const endRow = condition === undefined ? Math.min(grid.size, firstRow + limit) : grid.size;
  const parts: Records[] = [];
  let missing = limit;
  const begin = performance.now();
  for (const window of grid.windows(firstRow, endRow, table.rowsOfWindow(request.days))) {
    const found = await readWindow(request, window, missing + 1);
    if (found.count > missing) {
      const records = joinRecords([...parts, found], limit);
      return { records, next: positionOfLast(table, records) };
    }
    parts.push(found);
    missing -= found.count;
    if (window.endRow < endRow && performance.now() - begin > PAGE_MS)
      return { records: joinRecords(parts), next: grid.positionOf(window.endRow - 1) };
  }
  const records = joinRecords(parts);
  return endRow < grid.size ? { records, next: grid.positionOf(endRow - 1) } : { records };
}

async function readWindow(request: RecordRequest, window: RecordWindow, limit?: number): Promise<Records> {
  const select = await selectOfWindow(request, window, recordStatement(request, 'json', limit));
  return recordsOfLines(await request.archive.select(select));
}

/** The records that a stream has: the rows of the grid in which they are, and where the next stream begins, if there is one. */
export type RecordExtent = {
  readonly grid: RecordGrid;
  readonly firstRow: number;
  readonly endRow: number;
  /** How many records there are, where it is asked whether they are more than `limit`. */
  readonly records?: number;
  readonly next?: RecordPosition;
};

/**
 * The extent of a stream of up to `limit` records. With a condition, records are counted only if there may be more.
 *
 * @param isWhole nothing may be cut, so all are counted
 */
export async function extentOf(request: RecordRequest, isWhole: boolean): Promise<RecordExtent> {
  const { table, condition, limit, after } = request;
  const grid = gridOf(request, request.isDescending);
  const firstRow = grid.rowAfter(after);
  const rows = grid.size - firstRow;
  if (rows <= limit) return { grid, firstRow, endRow: grid.size };
  if (condition === undefined) {
    const endRow = firstRow + limit;
    return { grid, firstRow, endRow, records: rows, next: grid.positionOf(endRow - 1) };
  }
  let [count, next]: [number, RecordPosition | undefined] = [0, undefined];
  for (const window of grid.windows(
    firstRow,
    grid.size,
    WINDOWS_OF_STREAM * table.rowsOfWindow(request.days),
  )) {
    const found = await readWindow({ ...request, fields: [] }, window);
    if (next === undefined && count + found.count > limit)
      next = positionOfLast(table, joinRecords([found], limit - count));
    count += found.count;
    if (next !== undefined && !isWhole) break;
  }
  if (next === undefined) return { grid, firstRow, endRow: grid.size };
  return { grid, firstRow, endRow: grid.rowAfter(next), records: count, next };
}

/** Opens the records of an extent in a format, by one statement a window. */
export function openRecords(
  request: RecordRequest,
  format: StreamFormat,
  extent: RecordExtent,
): Promise<RecordStream> {
  const rows = WINDOWS_OF_STREAM * request.table.rowsOfWindow(request.days);
  const windows = openWindows(request, format, extent, rows, recordStatement(request, format));
  return joinWindows(format, request.limit, windows);
}

/** An answer without records has a header, a schema or a footer in every format but NDJSON: an empty window prints it. */
const NO_ROWS = { first: 0, end: 0, endRow: 0, stations: [] };

/** Prints windows of up to so many rows, each by a statement. */
export async function* openWindows(
  asked: RecordsAsked,
  format: StreamFormat,
  { grid, firstRow, endRow }: RecordExtent,
  rows: number,
  statement: RecordStatement,
): AsyncGenerator<Readable, undefined> {
  const windows = firstRow < endRow ? grid.windows(firstRow, endRow, rows) : [NO_ROWS];
  let printedAs = statement.printed.format;
  for (const window of windows) {
    const select = await selectOfWindow(asked, window, statement, printedAs);
    yield asked.archive.stream({
      ...select,
      settings: { ...streamSettings(format, {}), ...select.settings },
    });
    printedAs = statement.printed.following;
  }
}

function positionOfLast({ numberOf }: RecordTable, { bytes, ends, count }: Records): RecordPosition {
  const begin = count < 2 ? 0 : (ends[count - 2] as number) + 1;
  const record = JSON.parse(bytes.toString('utf8', begin, ends[count - 1]));
  return { station: record.station, at: numberOf(record) };
}
