import type { Select } from '../archive.ts';
import type { Condition } from '../conditions/condition.ts';
import { EARLY_SECONDS, NOMINAL_HOUR } from '../model/nominal-hour.ts';
import { REPORT_TYPES } from '../model/report.ts';
import { NO_TIME } from '../model/time-window.ts';
import { bindSelection, type RowSelection, selectedVersions } from '../observations/row-selection.ts';
import type { StreamFormat } from '../observations/stream/output-formats.ts';
import { BEST_OF_MINUTE } from '../statements/best-of-minute.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { FIRST_MEETS, jsonLine, reportColumns, textColumns, typedColumns } from './hourly-columns.ts';
import type { GridPart, HourlyGrid, HourlyPosition } from './hourly-grid.ts';

export type HourlyRequest = {
  readonly stations: readonly string[];
  /** Seconds since 1970-01-01T00:00:00Z, `[from, to)`. */
  readonly from: number;
  readonly to: number;
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
  { stations, firstHour }: HourlyGrid,
  { firstRow, rows }: GridPart,
  format: StreamFormat,
  printedAs: string,
  limit?: number,
): Select {
  const hourAt = (row: number) => firstHour + Math.floor(row / stations.length) * 3600;
  const selection: RowSelection = {
    stations,
    types: REPORT_TYPES,
    window:
      rows === 0
        ? NO_TIME
        : { from: hourAt(firstRow) - EARLY_SECONDS, to: hourAt(firstRow + rows - 1) + 3600 - EARLY_SECONDS },
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
    params: {
      ...params,
      gridStations: stations,
      firstHour,
      firstRow,
      rows,
      ...(limit !== undefined && { limit }),
    },
    ofStations,
  };
}
