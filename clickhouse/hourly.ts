import type { Archive, Select, StatementSettings } from './archive.ts';
import type { Condition } from './conditions/condition.ts';
import type { GridRows, GridWindow, PrintedAs } from './grid-rows.ts';
import { SECONDS_PER_HOUR } from './model/day.ts';
import { printedNumber } from './model/field-columns.ts';
import { REPORT_TYPES } from './model/report.ts';
import {
  clampToArchive,
  EARLY_SECONDS,
  NO_TIME,
  NOMINAL_HOUR,
  type StationRange,
} from './model/time-window.ts';
import { AS_TEXT, chosenFields, jsonMembers, TYPED } from './observations/record-columns.ts';
import {
  andMeets,
  bindSelection,
  currentReports,
  type ReportTable,
  type RowSelection,
  tableOf,
} from './observations/selection.ts';
import { OUTPUT_FORMATS, type StreamFormat, streamSettings } from './observations/stream/output-formats.ts';
import { KEEPS_BLOCKS, POINT_READ, planSettings } from './statements/select.ts';
import { readServedParts } from './statements/served-parts.ts';
import { fillSql, readStatement } from './statements/sql.ts';
import type { LocalTexts } from './zones/local-texts.ts';

/** A row of the grid: a nominal hour (seconds since 1970-01-01T00:00:00Z) of a station. */
export type HourlyPosition = { readonly hour: number; readonly station: string };

type HourlyGrid = ReturnType<typeof hourlyGrid>;

/** The rows of a series: each nominal hour of a range, and in each hour each station by code (D46). Positions are numbers. */
export function hourlyGrid({ stations: asked, ...range }: StationRange) {
  const { from, to } = clampToArchive(range) ?? NO_TIME;
  const [firstHour, endHour] = [from, to].map(
    (time) => Math.ceil(time / SECONDS_PER_HOUR) * SECONDS_PER_HOUR,
  ) as [number, number];
  const stations = asked.toSorted();
  const hoursBefore = (hour: number) => Math.floor((hour - firstHour) / SECONDS_PER_HOUR);
  const size = hoursBefore(endHour) * stations.length;
  return {
    stations,
    firstHour,
    size,
    rowAfter(position: HourlyPosition | undefined): number {
      if (position === undefined) return 0;
      const column = stations.findLastIndex((each) => each <= position.station);
      const row = hoursBefore(position.hour) * stations.length + column + 1;
      return Math.max(0, Math.min(size, row));
    },
    positionOf: (row: number): HourlyPosition => ({
      hour: firstHour + Math.floor(row / stations.length) * SECONDS_PER_HOUR,
      station: stations[row % stations.length] as string,
    }),
    *windows({ firstRow, endRow }: GridWindow, most: number): Generator<GridWindow, undefined> {
      for (let row = firstRow; row < endRow; row += most)
        yield { firstRow: row, endRow: Math.min(endRow, row + most) };
    },
  };
}

export type HourlyRequest = StationRange & {
  readonly archive: Archive;
  /** The ranges of stations within `from` and `to`, if stations have different ranges (D63). */
  readonly ranges?: readonly StationRange[] | undefined;
  readonly fields: readonly string[];
  /** Rows whose first METAR does not meet it are left out. */
  readonly condition?: Condition | undefined;
  /** Prints times; in UTC if it is absent. */
  readonly local?: LocalTexts | undefined;
  readonly limit: number;
  readonly after?: HourlyPosition | undefined;
};

const HOURLY_ROWS = readStatement('hourly/hourly');

/** SQL: the row of the grid to which a report belongs. (`transform` compares each code once, `indexOf` that of each row.) */
const GRID_STATIONS = '{gridStations:Array(String)}';
const CELL = `toUInt64((${NOMINAL_HOUR} - intDiv({firstHour:UInt32}, 3600)) * length(${GRID_STATIONS})
        + transform(station, ${GRID_STATIONS}, range(length(${GRID_STATIONS})), 0))`;

const OBSERVED_AT = 'firstAt';

export function hourlyStatement(
  { ranges = [], fields, condition, local }: Omit<HourlyRequest, 'archive'>,
  grid: HourlyGrid,
  gridWindow: GridWindow,
  { format, isFollowing, limit }: PrintedAs,
  table?: ReportTable,
): Select {
  const { stations, firstHour } = grid;
  const { firstRow, endRow } = gridWindow;
  const rows = endRow - firstRow;
  const printedAs = format === 'json' ? 'ndjson' : format;
  const selection = { ...reportsOf(grid, gridWindow), condition };
  const query = fillSql(HOURLY_ROWS, {
    columns: printedAs === 'ndjson' ? jsonLine(fields, local) : printedColumns(fields, printedAs, local),
    ownRange: ranges.length > 1 ? IN_OWN_RANGE : '',
    join: condition === undefined ? 'LEFT' : 'INNER',
    cell: CELL,
    values: chosenFields(fields)
      .map(({ sql, alias }) => `, ${sql} AS ${alias}`)
      .join('\n        '),
    reports: currentReports(selection, table ?? tableOf(selection, true)),
    andMeets: andMeets(selection),
    limit: limit === undefined ? '' : 'LIMIT {limit:UInt32}',
    format: OUTPUT_FORMATS[printedAs][isFollowing ? 'following' : 'name'],
  });
  const further = {
    ...{ gridStations: stations, firstHour, firstRow, rows, ...local?.params },
    ...(ranges.length > 1 && ownRanges(stations, ranges)),
    ...(limit && { limit }),
  };
  return { query, ...bindSelection(selection, further) };
}

function reportsOf(grid: HourlyGrid, { firstRow, endRow }: GridWindow): RowSelection {
  const beginOf = (row: number) => grid.positionOf(row).hour - EARLY_SECONDS;
  const window =
    firstRow === endRow ? NO_TIME : { from: beginOf(firstRow), to: beginOf(endRow - 1) + SECONDS_PER_HOUR };
  return { stations: grid.stations, types: REPORT_TYPES, window };
}

/**
 * The table to read. A long window of many stations is read in the order of time only if these stations have most of its rows,
 * with one report an hour (0.8 of the CPU time). Otherwise too many rows of other stations would be read.
 */
async function tableOfGrid(archive: Archive, grid: HourlyGrid, gridWindow: GridWindow): Promise<ReportTable> {
  const selection = reportsOf(grid, gridWindow);
  const table = tableOf(selection, true);
  if (table === tableOf(selection, false)) return table;
  const { from, to } = selection.window;
  let stored = 0;
  for (const part of await readServedParts(archive)) {
    const common = Math.min(part.to, to) - Math.max(part.from, from);
    if (part.table === 'observations' && common > 0) stored += (part.rows * common) / (part.to - part.from);
  }
  return gridWindow.endRow - gridWindow.firstRow > stored / 2 ? 'observations' : table;
}

const COLUMN = `number % length(${GRID_STATIONS}) + 1`;
const IN_OWN_RANGE = `WHERE nominal >= {begins:Array(UInt32)}[${COLUMN}] AND nominal < {ends:Array(UInt32)}[${COLUMN}]`;

function ownRanges(stations: readonly string[], ranges: readonly StationRange[]) {
  const windows = new Map(
    ranges.flatMap((range) =>
      range.stations.map((station) => [station, clampToArchive(range) ?? NO_TIME] as const),
    ),
  );
  return {
    begins: stations.map((station) => windows.get(station)?.from),
    ends: stations.map((station) => windows.get(station)?.to),
  };
}

function jsonLine(fields: readonly string[], local: LocalTexts | undefined): string {
  const text = (time: string, name: string) =>
    local?.text(time, 'station', name) ?? `formatDateTime(${time}, '%Y-%m-%dT%H:%i:%SZ', 'UTC')`;
  const parts = [
    `'{"station":"', station, '","hour":"', ${text('toDateTime(nominal)', 'hour')}, '"'`,
    `if(isNull(${OBSERVED_AT}), '', concat(',"observedAt":"', ${text(`assumeNotNull(${OBSERVED_AT})`, 'observedAt')}, '"'))`,
    `',"n":', toString(n)`,
    ...jsonMembers(fields, printedNumber),
    `'}'`,
  ];
  return `concat(${parts.join(', ')})`;
}

function printedColumns(fields: readonly string[], format: StreamFormat, local?: LocalTexts): string {
  const { time, count, value } = format === 'csv' ? AS_TEXT : TYPED;
  const timeOf = (sql: string, name: string) =>
    `${local?.text(sql, 'station', name) ?? time(sql)} AS ${name}`;
  const times = [timeOf("toDateTime(nominal, 'UTC')", 'hour'), timeOf(OBSERVED_AT, 'observedAt')];
  const values = chosenFields(fields).map((field) => `${value(field, field.alias)} AS ${field.name}`);
  return ['station', ...times, `${count('n')} AS n`, ...values].join(',\n    ');
}

/** The older analyzer takes twice the time to plan two joins: 1.5 times the CPU time of a page of 1,000 rows. */
const HOURLY_PAGE_READ: StatementSettings = { ...POINT_READ, ...KEEPS_BLOCKS, enable_analyzer: 1 };

/** Rows of the grid that one statement of a page searches for those that meet a condition. */
const SEARCHED_ROWS = 100_000;

/** Values that a statement reads: 93,000 rows with all fields, 348,000 with 13. More take memory, fewer more plans of 20 ms. */
const WINDOW_VALUES = 8_000_000;
/** Further columns of each row count as this many values. */
const KEY_VALUES = 10;

/** With a condition, or if stations have different ranges, a page can be shorter than `limit` although another follows (D11). */
export function hourlyRows(request: HourlyRequest): GridRows<HourlyPosition> {
  const { archive, fields, condition, limit, after } = request;
  const grid = hourlyGrid(request);
  return {
    archive,
    grid,
    windowRows: {
      page: SEARCHED_ROWS,
      stream: Math.floor(WINDOW_VALUES / (fields.length + KEY_VALUES)),
    },
    limit,
    after,
    isFiltered: condition !== undefined,
    select: async (window, as) => ({
      ...hourlyStatement(request, grid, window, as, await tableOfGrid(archive, grid, window)),
      settings:
        as.format === 'json'
          ? { ...OUTPUT_FORMATS.ndjson.settings, ...HOURLY_PAGE_READ, ...planSettings(request) }
          : streamSettings(as.format, request),
    }),
    positionIn: ({ hour, station }) => ({
      hour: Date.parse(String(hour)) / 1000,
      station: String(station),
    }),
  };
}
