import type { Readable } from 'node:stream';
import type { Archive, Select, StatementSettings } from '../archive.ts';
import { type Condition, type ConditionFields, conditionSql, fieldsIn } from '../conditions/condition.ts';
import type { DayRange } from '../model/day.ts';
import { firstRecords, joinRecords, type Records, recordsOfLines } from '../observations/records.ts';
import { joinWindows, type RecordStream } from '../observations/stream/join-windows.ts';
import { type StreamFormat, streamSettings } from '../observations/stream/output-formats.ts';
import { readServerTime } from '../server-time.ts';
import { type Printed, printRows, type RowColumn } from '../statements/print-rows.ts';
import { ONE_THREAD_READ } from '../statements/select.ts';
import { fillSql, readStatement, SqlParameters } from '../statements/sql.ts';
import type { Clock } from '../zones/clocks.ts';
import type { LocalTexts } from '../zones/local-texts.ts';
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
  /** The records of a station, up to the one of the present. Seconds since 1970-01-01T00:00:00Z. */
  readonly rangeOf: (days: DayRange, clock: Clock, now: number) => RecordRange;
  /** Rows that one statement reads, of a range of days. */
  readonly rowsOfWindow: (days: DayRange) => number;
  /** The rows of a window; those after the present of a station have no `expected`. */
  readonly open: (archive: Archive, asked: OpenedWindow, signal?: AbortSignal) => Promise<DaySource>;
};

export type OpenedWindow = {
  readonly days: DayRange;
  /** With the stations of the window alone. */
  readonly clocks: readonly Clock[];
  readonly window: RecordWindow;
  /** Those that the statement names. */
  readonly fields: readonly string[];
};

export type RecordRequest = {
  readonly days: DayRange;
  /** Each station of the request belongs to one. */
  readonly clocks: readonly Clock[];
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
export async function gridOf(
  archive: Archive,
  { rangeOf }: RecordTable,
  { days, clocks, isDescending }: Pick<RecordRequest, 'days' | 'clocks' | 'isDescending'>,
): Promise<RecordGrid> {
  const now = await readServerTime(archive);
  const ranges = clocks.flatMap((clock) => {
    const range = rangeOf(days, clock, now);
    return clock.stations.map((station) => [station, range] as const);
  });
  return new RecordGrid(new Map(ranges), isDescending);
}

/** A statement over the records of a window. */
type WindowStatement = {
  /** @param records the clause FROM */
  readonly query: (records: string) => string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly settings: StatementSettings;
  /** The fields that it names. */
  readonly fields: readonly string[];
};

/** The statement with its records. */
async function selectOfWindow(
  archive: Archive,
  { open }: RecordTable,
  { days, clocks }: Pick<RecordRequest, 'days' | 'clocks'>,
  {
    window,
    statement,
    signal,
  }: {
    readonly window: RecordWindow;
    readonly statement: WindowStatement;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<Select> {
  const stations = new Set(window.stations);
  const ofWindow = clocks.flatMap((clock) => {
    const own = clock.stations.filter((station) => stations.has(station));
    return own.length === 0 ? [] : [{ ...clock, stations: own }];
  });
  const { from, params, file } = await open(
    archive,
    { days, clocks: ofWindow, window, fields: statement.fields },
    signal,
  );
  return {
    query: statement.query(from),
    params: { ...params, ...statement.params },
    ...(file && { file }),
    settings: {
      ...ONE_THREAD_READ,
      // Conditions are on stored values, also where a column of the answer has the name.
      prefer_column_name_to_alias: 1,
      ...statement.settings,
    },
  };
}

const RECORDS = readStatement('records/records');

/** Prints the records of a window that meet the condition. */
function recordStatement(
  table: RecordTable,
  { fields, condition, isDescending }: RecordRequest,
  printed: Printed,
  { format, limit }: { readonly format: string; readonly limit?: number | undefined },
): WindowStatement {
  const parameters = new SqlParameters('filter');
  const meets = condition && conditionSql(condition, parameters, table.conditionFields);
  return {
    query: (records) =>
      fillSql(RECORDS, {
        columns: printed.columns,
        records,
        andMeets: meets === undefined ? '' : `AND (${meets})`,
        order: `${table.order}${isDescending ? ' DESC' : ''}`,
        limit: limit === undefined ? '' : 'LIMIT {limit:UInt32}',
        format,
      }),
    params: { ...printed.params, ...parameters.values, ...(limit !== undefined && { limit }) },
    settings: printed.settings,
    fields: storedNames(table.fields, [...fields, ...(condition === undefined ? [] : fieldsIn(condition))]),
  };
}

function columnsOf({ keys, fields }: RecordTable, names: readonly string[]): readonly RowColumn[] {
  return [...keys, ...names.map((name) => fields.get(name) as RowColumn)];
}

/** The stored fields that a statement reads for these: a day without a gust is compared where its wind is known. */
export function storedNames(fields: RecordTable['fields'], names: readonly string[]): readonly string[] {
  const stored = names.map((name) => fields.get(name)?.stored ?? name);
  return [...new Set([...stored, ...(stored.includes('max_gust_kt') ? ['max_wspd_kt'] : [])])];
}

/** Days whose records one statement reads. What is computed for it is in memory, up to 300 bytes a day. */
export const DAYS_OF_WINDOW = 10_000;
/** How long a page is read; the next page continues after the window that it is in. */
const PAGE_MS = 1000;

/** Consecutive records, and the one after which the next page begins, if another follows or may follow. */
export type RecordPage = { readonly records: Records; readonly next?: RecordPosition };

/** A page of records as JSON. */
export async function readRecordPage(
  archive: Archive,
  table: RecordTable,
  request: RecordRequest,
  signal?: AbortSignal,
): Promise<RecordPage> {
  const { condition, limit, after } = request;
  const grid = await gridOf(archive, table, request);
  const firstRow = after === undefined ? 0 : grid.rowAfter(after);
  const endRow = condition === undefined ? Math.min(grid.size, firstRow + limit) : grid.size;
  const parts: Records[] = [];
  let missing = limit;
  const begin = performance.now();
  for (const window of grid.windows(firstRow, endRow, table.rowsOfWindow(request.days))) {
    const found = await readWindow(archive, table, request, { window, limit: missing + 1, signal });
    if (found.count > missing) {
      const records = joinRecords([...parts, firstRecords(found, missing)]);
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

/** The records of a window as JSON. */
async function readWindow(
  archive: Archive,
  table: RecordTable,
  request: RecordRequest,
  part: { readonly window: RecordWindow; readonly limit?: number; readonly signal?: AbortSignal | undefined },
): Promise<Records> {
  const printed = printRows(columnsOf(table, request.fields), 'json', request.local);
  const statement = recordStatement(table, request, printed, { format: printed.format, limit: part.limit });
  return recordsOfLines(
    await archive.select(await selectOfWindow(archive, table, request, { ...part, statement })),
  );
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
 * The extent of a stream of up to `limit` records. Of records that meet a condition, more are counted than the limit only if
 * there may be more.
 *
 * @param isWhole nothing may be cut, so all are counted
 */
export async function extentOf(
  archive: Archive,
  table: RecordTable,
  request: RecordRequest,
  isWhole: boolean,
  signal?: AbortSignal,
): Promise<RecordExtent> {
  const { condition, limit, after } = request;
  const grid = await gridOf(archive, table, request);
  const firstRow = after === undefined ? 0 : grid.rowAfter(after);
  const rows = grid.size - firstRow;
  if (rows <= limit) return { grid, firstRow, endRow: grid.size };
  if (condition === undefined) {
    const endRow = firstRow + limit;
    return { grid, firstRow, endRow, records: rows, next: grid.positionOf(endRow - 1) };
  }
  let [count, next]: [number, RecordPosition | undefined] = [0, undefined];
  for (const window of grid.windows(firstRow, grid.size, table.rowsOfWindow(request.days))) {
    const found = await readWindow(archive, table, { ...request, fields: [] }, { window, signal });
    if (next === undefined && count + found.count > limit)
      next = positionOfLast(table, firstRecords(found, limit - count));
    count += found.count;
    if (next !== undefined && !isWhole) break;
  }
  if (next === undefined) return { grid, firstRow, endRow: grid.size };
  return { grid, firstRow, endRow: grid.rowAfter(next), records: count, next };
}

/** Opens the records of an extent in a format, by one statement a window. */
export function openRecords(
  archive: Archive,
  table: RecordTable,
  request: RecordRequest,
  {
    format,
    extent,
    signal,
  }: { readonly format: StreamFormat; readonly extent: RecordExtent; readonly signal?: AbortSignal },
): Promise<RecordStream> {
  const printed = printRows(columnsOf(table, request.fields), format, request.local);
  const statementOf = (printedAs: string) => recordStatement(table, request, printed, { format: printedAs });
  return joinWindows(
    format,
    request.limit,
    openWindows(archive, table, request, { format, extent, printed, statementOf, signal }),
  );
}

/** Rows without a statement have none in one format alone: an empty window prints a header, a schema or a footer. */
const NO_ROWS = { first: 0, end: 0, endRow: 0, stations: [] };

/** Prints windows, each by a statement. */
export async function* openWindows(
  archive: Archive,
  table: RecordTable,
  request: Pick<RecordRequest, 'days' | 'clocks'>,
  {
    format,
    extent: { grid, firstRow, endRow },
    rows = table.rowsOfWindow(request.days),
    printed,
    statementOf,
    signal,
  }: {
    readonly format: StreamFormat;
    readonly extent: RecordExtent;
    readonly rows?: number;
    readonly printed: Printed;
    readonly statementOf: (printedAs: string) => WindowStatement;
    readonly signal?: AbortSignal | undefined;
  },
): AsyncGenerator<Readable, undefined> {
  const windows = firstRow < endRow ? grid.windows(firstRow, endRow, rows) : [NO_ROWS];
  let printedAs = printed.format;
  for (const window of windows) {
    const select = await selectOfWindow(archive, table, request, {
      window,
      statement: statementOf(printedAs),
      signal,
    });
    yield archive.stream({ ...select, settings: { ...streamSettings(format, {}), ...select.settings } });
    printedAs = printed.following;
  }
}

function positionOfLast({ numberOf }: RecordTable, { bytes, ends, count }: Records): RecordPosition {
  const begin = count < 2 ? 0 : (ends[count - 2] as number) + 1;
  const record = JSON.parse(bytes.toString('utf8', begin, ends[count - 1]));
  return { station: record.station, at: numberOf(record) };
}
