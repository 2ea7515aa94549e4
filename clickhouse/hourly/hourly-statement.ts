import type { Select } from '../archive.ts';
import type { Condition } from '../conditions/condition.ts';
import { type FieldType, isList } from '../model/fields.ts';
import { REPORT_TYPES } from '../model/report.ts';
import {
  clampToArchive,
  EARLY_SECONDS,
  NO_TIME,
  NOMINAL_HOUR,
  type StationRange,
  type TimeWindow,
} from '../model/time-window.ts';
import { chosenFields, jsonMembers, textValue, typedValue } from '../observations/record-columns.ts';
import { bindSelection, type RowSelection, selectedVersions } from '../observations/selection.ts';
import type { StreamFormat } from '../observations/stream/output-formats.ts';
import { BEST_OF_MINUTE } from '../statements/current-reports.ts';
import { fillSql, readStatement } from '../statements/sql.ts';

/** A row of the grid: a nominal hour (seconds since 1970-01-01T00:00:00Z) of a station. */
export type HourlyPosition = { readonly hour: number; readonly station: string };

/** Consecutive rows of the grid. */
type GridPart = { readonly firstRow: number; readonly rows: number };

const HOUR = 3600;

/**
 * The rows of an hourly series before anything is read: each nominal hour of a range, and in each hour each station by
 * code (D46). Positions are numbers, so the size of any part is known.
 */
export class HourlyGrid {
  readonly stations: readonly string[];
  readonly firstHour: number;
  readonly size: number;

  constructor(stations: readonly string[], range: TimeWindow) {
    const { from, to } = clampToArchive(range) ?? NO_TIME;
    const [first, end] = [Math.ceil(from / HOUR), Math.ceil(to / HOUR)];
    this.stations = stations.toSorted();
    this.firstHour = first * HOUR;
    this.size = (end - first) * stations.length;
  }

  /** The number of a row; `undefined` if the grid has no such row. */
  numberOf({ hour, station }: HourlyPosition): number | undefined {
    const column = this.stations.indexOf(station);
    const number = ((hour - this.firstHour) / HOUR) * this.stations.length + column;
    return column >= 0 && Number.isInteger(number) && number >= 0 && number < this.size ? number : undefined;
  }

  positionOf(number: number): HourlyPosition {
    const { stations, firstHour } = this;
    const hour = firstHour + Math.floor(number / stations.length) * HOUR;
    return { hour, station: stations[number % stations.length] as string };
  }

  /** Up to this many rows after a position, or from the start. */
  partAfter(after: HourlyPosition | undefined, most: number): GridPart {
    const firstRow = after === undefined ? 0 : (this.numberOf(after) ?? this.size) + 1;
    return { firstRow, rows: Math.max(0, Math.min(most, this.size - firstRow)) };
  }
}

export type HourlyRequest = StationRange & {
  /** Names of decoded and derived fields. */
  readonly fields: readonly string[];
  /** Rows whose first METAR does not meet it are left out. */
  readonly condition?: Condition | undefined;
  /** Rows at most. */
  readonly limit: number;
  readonly after?: HourlyPosition | undefined;
};

const HOURLY = readStatement('hourly/hourly');

/** The number of a report's row of the grid. (`indexOf` would compare the text of each row, `transform` compares each code once.) */
const STATIONS = '{gridStations:Array(String)}';
const CELL = `toUInt64((${NOMINAL_HOUR} - intDiv({firstHour:UInt32}, 3600)) * length(${STATIONS})
        + transform(station, ${STATIONS}, range(length(${STATIONS})), 0))`;

/** The time of the first METAR of an hour; NULL if there is none. */
const OBSERVED_AT = 'firstAt';

/** Whether the first METAR meets the condition; an hour without one does not. */
const FIRST_MEETS = `isNotNull(${OBSERVED_AT}) AND meets`;

const COLUMNS: Readonly<Record<StreamFormat, (fields: readonly string[]) => string>> = {
  ndjson: jsonLine,
  csv: textColumns,
  parquet: typedColumns,
  arrow: typedColumns,
};

/**
 * The rows of a part of the grid; with a condition, those whose first METAR meets it.
 *
 * @param printedAs the name of the clause FORMAT: see `OUTPUT_FORMATS`
 * @param limit maximum number of rows, only with a condition
 */
export function hourlyStatement(
  { fields, condition }: HourlyRequest,
  grid: HourlyGrid,
  { firstRow, rows }: GridPart,
  format: StreamFormat,
  printedAs: string,
  limit?: number,
): Select {
  const { stations, firstHour } = grid;
  const beginOf = (row: number) => grid.positionOf(row).hour - EARLY_SECONDS;
  const selection: RowSelection = {
    stations,
    types: REPORT_TYPES,
    window: rows === 0 ? NO_TIME : { from: beginOf(firstRow), to: beginOf(firstRow + rows - 1) + HOUR },
    condition,
  };
  const query = fillSql(HOURLY, {
    columns: COLUMNS[format](fields),
    highestVersions: selectedVersions(selection, [
      `${CELL} AS cell`,
      ...BEST_OF_MINUTE.columns,
      ...reportColumns(fields),
    ]),
    bestOfMinute: BEST_OF_MINUTE.order,
    where: condition === undefined ? '' : `WHERE ${FIRST_MEETS}`,
    limit: limit === undefined ? '' : 'LIMIT {limit:UInt32}',
    format: printedAs,
  });
  const { params, ofStations } = bindSelection(selection);
  return {
    query,
    params: { ...params, gridStations: stations, firstHour, firstRow, rows, ...(limit && { limit }) },
    ofStations,
  };
}

/** What is read of each report in addition to its key: a SPECI has no values. */
function reportColumns(fields: readonly string[]): readonly string[] {
  const values = chosenFields(fields).map((field) => {
    const absent = isList(field.type) ? '[]' : 'NULL';
    return `if(type = 'METAR', ${field.sql}, ${absent}) AS ${field.alias}`;
  });
  return ['nil', ...values];
}

/** A row as one line of JSON; unknown values are absent. */
function jsonLine(fields: readonly string[]): string {
  const text = (time: string) => `formatDateTime(${time}, '%Y-%m-%dT%H:%i:%SZ', 'UTC')`;
  const parts = [
    `'{"station":"', station, '","hour":"', ${text('toDateTime(nominal)')}, '"'`,
    `if(isNull(${OBSERVED_AT}), '', concat(',"observedAt":"', ${text(`assumeNotNull(${OBSERVED_AT})`)}, '"'))`,
    `',"n":', toString(n)`,
    ...jsonMembers(fields),
    `'}'`,
  ];
  return `concat(${parts.join(', ')})`;
}

/** Columns as text: lists as JSON, empty ones omitted. */
function textColumns(fields: readonly string[]): string {
  return columnsOf(fields, (time) => `toDateTime(${time}, 'UTC')`, textValue);
}

/** Columns with types that other programs know, as those of observations. */
function typedColumns(fields: readonly string[]): string {
  return columnsOf(fields, (time) => `toDateTime64(${time}, 3, 'UTC')`, typedValue);
}

function columnsOf(
  fields: readonly string[],
  timeOf: (time: string) => string,
  express: (type: FieldType, value: string) => string,
): string {
  const times = [`${timeOf('nominal')} AS hour`, `${timeOf(OBSERVED_AT)} AS observedAt`];
  const values = chosenFields(fields).map((field) => `${express(field.type, field.alias)} AS ${field.name}`);
  return ['station', ...times, 'n', ...values].join(',\n    ');
}
