import type { Archive, Select } from '../archive.ts';
import { type Condition, conditionSql, fieldsIn } from '../conditions/condition.ts';
import type { ConditionFields } from '../conditions/fields.ts';
import type { GridRows, PrintedAs } from '../grid-rows.ts';
import type { DayRange } from '../model/day.ts';
import { streamSettings } from '../observations/stream/output-formats.ts';
import { printRows, type RowColumn } from '../statements/print-rows.ts';
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

/** A statement over records, as a template with `columns`, `records` and `format`. */
export type RecordStatement = {
  readonly template: string;
  readonly clauses: Readonly<Record<string, string>>;
  readonly columns: readonly RowColumn[];
  readonly params: Readonly<Record<string, unknown>>;
  /** The fields that it names. */
  readonly fields: readonly string[];
  readonly local?: LocalTexts | undefined;
};

export async function selectOfWindow(
  { archive, table, days, clocks, signal }: RecordsAsked,
  window: RecordWindow,
  { template, clauses, columns, params, fields, local }: RecordStatement,
  { format, isFollowing }: PrintedAs,
): Promise<Select> {
  const stations = new Set(window.stations);
  const ofWindow = clocks.flatMap((clock) => {
    const own = clock.stations.filter((station) => stations.has(station));
    return own.length === 0 ? [] : [{ ...clock, stations: own }];
  });
  const source = await table.open(archive, { days, clocks: ofWindow, window, fields }, signal);
  const printed = printRows(columns, format, local);
  return {
    query: fillSql(template, {
      ...clauses,
      columns: printed.columns,
      records: source.from,
      format: isFollowing ? printed.following : printed.format,
    }),
    params: { ...source.params, ...printed.params, ...params },
    ...(source.file && { file: source.file }),
    settings: {
      ...(format !== 'json' && streamSettings(format, {})),
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
  limit?: number,
): RecordStatement {
  const parameters = new SqlParameters('filter');
  const meets = condition && conditionSql(condition, parameters, table.conditionFields);
  return {
    template: RECORDS,
    clauses: {
      andMeets: meets === undefined ? '' : `AND (${meets})`,
      order: `${table.order}${isDescending ? ' DESC' : ''}`,
      limit: limit === undefined ? '' : 'LIMIT {limit:UInt32}',
    },
    columns: [...table.keys, ...fields.map((name) => table.fields.get(name) as RowColumn)],
    params: { ...parameters.values, ...(limit !== undefined && { limit }) },
    fields: storedNames(table.fields, [...fields, ...(condition === undefined ? [] : fieldsIn(condition))]),
    local,
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

export function recordRows(request: RecordRequest): GridRows<RecordPosition> {
  const { archive, table, days, condition, limit, after } = request;
  const grid = gridOf(request, request.isDescending);
  const page = table.rowsOfWindow(days);
  const select =
    (asked: RecordRequest): GridRows<RecordPosition>['select'] =>
    (window, as) =>
      selectOfWindow(asked, grid.recordsOf(window), recordStatement(asked, as.limit), as);
  return {
    archive,
    grid,
    select: select(request),
    windowRows: { page, stream: WINDOWS_OF_STREAM * page },
    limit,
    after,
    isFiltered: condition !== undefined,
    selectKeys: condition && select({ ...request, fields: [] }),
    positionIn: (record) => ({ station: String(record.station), at: table.numberOf(record) }),
  };
}
