import { type Condition, conditionSql } from '../conditions/condition.ts';
import type { ConditionFields } from '../conditions/fields.ts';
import type { GridRows, GridWindow } from '../grid-rows.ts';
import type { DayRun } from '../model/day.ts';
import { streamSettings } from '../observations/stream/output-formats.ts';
import { printRows, type RowColumn } from '../statements/print-rows.ts';
import { ONE_THREAD_READ } from '../statements/select.ts';
import { fillSql, readStatement, SqlParameters } from '../statements/sql.ts';
import type { LocalTexts } from '../zones/local-texts.ts';
import type { DaysAsked, RecordSource } from './day-source.ts';
import { reachedDays } from './days-until-now.ts';

/** Records `[first, end)` of one station by number: days counted from 1970-01-01, or months as `localMonth` counts them. */
export type RecordRange = DayRun;

export type RecordPosition = { readonly station: string; readonly at: number };

type StationRecords = RecordRange & { readonly station: string };

/** A kind of records of stations (for days, months, or months of a mean year): their columns, and how statements read them. */
export type RecordTable = {
  /** The columns that answers have before the fields; the first is `station`. */
  readonly keys: readonly RowColumn[];
  readonly fields: ReadonlyMap<string, RowColumn>;
  readonly conditionFields: ConditionFields;
  /** The column that orders the records of a station, and its value in a printed record as a number. */
  readonly order: string;
  readonly numberOf: (record: Readonly<Record<string, unknown>>) => number;
  /** The range of records of a station, from the days that its local time has reached. It can be empty. */
  readonly rangeOf: (reached: DayRun) => RecordRange;
  /** How many rows one statement reads, for a request of these days. */
  readonly rowsOfWindow: (days: DayRun) => number;
  /**
   * The rows of a window. Days after the present day of a station have no `expected` hours.
   *
   * @param asked with only the stations of the window
   * @param fields at least those that the statement names
   */
  readonly open: (asked: DaysAsked, window: RecordRange, fields: readonly string[]) => Promise<RecordSource>;
};

export type RecordRequest = DaysAsked & {
  readonly table: RecordTable;
  /** In the order of the answer. */
  readonly fields: readonly string[];
  readonly condition?: Condition | undefined;
  readonly isDescending?: boolean;
  /** Prints times; in UTC if it is absent. */
  readonly local?: LocalTexts | undefined;
  readonly limit: number;
  readonly after?: RecordPosition | undefined;
};

/** A statement over records, as a template with `columns`, `records` and `format`. */
export type RecordStatement = {
  readonly template: string;
  readonly clauses: Readonly<Record<string, string>>;
  readonly columns: readonly RowColumn[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly local?: LocalTexts | undefined;
};

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
    local,
  };
}

/** Days that one statement reads. Computed days are in memory: up to 600 bytes each while their block is made. */
export const DAYS_OF_WINDOW = 10_000;
/** A statement of a stream reads this many times as many days: each takes 50 ms, of which 10,000 stored days are only 1 ms. */
const WINDOWS_OF_STREAM = 5;

/** @param statementOf makes the statement over the records; by default it selects the records themselves */
export function recordRows(request: RecordRequest, statementOf = recordStatement): GridRows<RecordPosition> {
  const { archive, table, clocks, condition, limit, after } = request;
  const ranges = clocks.flatMap(({ stations, offsets }) => {
    const range = table.rangeOf(reachedDays(request, offsets));
    return stations.map((station) => ({ station, ...range }));
  });
  const grid = recordGrid(ranges, request.isDescending);
  const selectOf =
    (asked: RecordRequest): GridRows<RecordPosition>['select'] =>
    async (window, { format, isFollowing, limit: most }) => {
      const { stations, ...records } = grid.recordsOf(window);
      const { template, clauses, columns, params, local } = statementOf(asked, most);
      const printed = printRows(columns, format, local);
      const text = [printed.columns, ...Object.values(clauses)].join();
      const fields = [...table.fields.keys()].filter((name) => text.includes(name));
      const ofStations = clocks.flatMap((clock) => {
        const own = clock.stations.filter((station) => stations.has(station));
        return own.length === 0 ? [] : [{ ...clock, stations: own }];
      });
      const source = await table.open({ ...request, clocks: ofStations }, records, fields);
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
    };
  const page = table.rowsOfWindow(request);
  return {
    archive,
    grid,
    select: selectOf(request),
    windowRows: { page, stream: WINDOWS_OF_STREAM * page },
    limit,
    after,
    isFiltered: condition !== undefined,
    selectKeys: condition && selectOf({ ...request, fields: [] }),
    positionIn: (record) => ({ station: String(record.station), at: table.numberOf(record) }),
  };
}

/**
 * The rows of a request, station by station, and for each station the records of its range in ascending or descending order. So
 * the number of rows and the position of each row are known before anything is read.
 */
function recordGrid(ranges: readonly StationRecords[], isDescending = false) {
  let size = 0;
  const all = ranges
    .filter(({ first, end }) => first < end)
    .sort((one, other) => (one.station < other.station ? -1 : 1))
    .map(({ station, first, end }) => {
      const beginRow = size;
      size += end - first;
      return { station, first, end, beginRow, endRow: size };
    });
  const indexOf = (row: number) => all.findLastIndex(({ beginRow }) => beginRow <= row);
  const stationOf = (row: number) => all[indexOf(row)] as (typeof all)[number];
  const positionOf = (row: number): RecordPosition => {
    const { station, first, end, beginRow } = stationOf(row);
    return { station, at: isDescending ? end - 1 - (row - beginRow) : first + (row - beginRow) };
  };
  return {
    size,
    positionOf,
    rowAfter(position: RecordPosition | undefined): number {
      if (position === undefined) return 0;
      const { station, at } = position;
      const found = all.find((each) => each.station >= station);
      if (found === undefined) return size;
      const { first, end, beginRow, endRow } = found;
      if (found.station !== station) return beginRow;
      const row = beginRow + (isDescending ? end - at : at + 1 - first);
      return Math.min(Math.max(beginRow, row), endRow);
    },
    *windows({ firstRow, endRow }: GridWindow, most: number): Generator<GridWindow, undefined> {
      for (let row = firstRow; row < endRow; ) {
        const bound = Math.min(endRow, row + most);
        const { beginRow, endRow: endOfStation } = stationOf(row);
        const endOfWhole = all.findLast((each) => each.endRow <= bound)?.endRow ?? 0;
        const end = row === beginRow && endOfWhole > row ? endOfWhole : Math.min(bound, endOfStation);
        yield { firstRow: row, endRow: end };
        row = end;
      }
    },
    /** The records of a window: whole ranges of some stations, or a part of the range of one station. */
    recordsOf({ firstRow, endRow }: GridWindow) {
      const found = firstRow === endRow ? [] : all.slice(indexOf(firstRow), indexOf(endRow - 1) + 1);
      const numbers =
        found.length === 1
          ? [firstRow, endRow - 1].map((row) => positionOf(row).at)
          : found.flatMap(({ first, end }) => [first, end - 1]);
      const stations = new Set(found.map(({ station }) => station));
      if (stations.size === 0) return { stations, first: 0, end: 0 };
      return { stations, first: Math.min(...numbers), end: Math.max(...numbers) + 1 };
    },
  };
}
