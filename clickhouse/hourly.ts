import type { Readable } from 'node:stream';
import type { Archive, Select, StatementSettings } from './archive.ts';
import type { Condition } from './conditions/condition.ts';
import { SECONDS_PER_HOUR } from './model/day.ts';
import { printedNumber } from './model/field-columns.ts';
import { REPORT_TYPES } from './model/report.ts';
import {
  clampToArchive,
  EARLY_SECONDS,
  NO_TIME,
  NOMINAL_HOUR,
  type StationRange,
  type TimeWindow,
} from './model/time-window.ts';
import { AS_TEXT, chosenFields, jsonMembers, type Printing, TYPED } from './observations/record-columns.ts';
import { andMeets, bindSelection, currentReports, type RowSelection } from './observations/selection.ts';
import { joinWindows, type RecordStream } from './observations/stream/join-windows.ts';
import { OUTPUT_FORMATS, type StreamFormat, streamSettings } from './observations/stream/output-formats.ts';
import { KEEPS_BLOCKS, POINT_READ, planSettings } from './statements/select.ts';
import { fillSql, readStatement } from './statements/sql.ts';
import type { LocalTexts } from './zones/local-texts.ts';

/** A row of the grid: a nominal hour (seconds since 1970-01-01T00:00:00Z) of a station. */
export type HourlyPosition = { readonly hour: number; readonly station: string };

type GridPart = { readonly firstRow: number; readonly rows: number };

/** The rows of a series: each nominal hour of a range, and in each hour each station by code (D46). Positions are numbers. */
export class HourlyGrid {
  readonly stations: readonly string[];
  readonly firstHour: number;
  readonly size: number;

  constructor(stations: readonly string[], range: TimeWindow) {
    const { from, to } = clampToArchive(range) ?? NO_TIME;
    const [first, end] = [Math.ceil(from / SECONDS_PER_HOUR), Math.ceil(to / SECONDS_PER_HOUR)];
    this.stations = stations.toSorted();
    this.firstHour = first * SECONDS_PER_HOUR;
    this.size = (end - first) * stations.length;
  }

  /** -1 before the first one. The stations of an area can be others than those of the page before. */
  lastUpTo({ hour, station }: HourlyPosition): number {
    const column = this.stations.findLastIndex((each) => each <= station);
    const number = Math.floor((hour - this.firstHour) / SECONDS_PER_HOUR) * this.stations.length + column;
    return Math.max(-1, Math.min(this.size - 1, number));
  }

  positionOf(number: number): HourlyPosition {
    const { stations, firstHour } = this;
    const hour = firstHour + Math.floor(number / stations.length) * SECONDS_PER_HOUR;
    return { hour, station: stations[number % stations.length] as string };
  }

  partAfter(after: HourlyPosition | undefined, most: number): GridPart {
    const firstRow = after === undefined ? 0 : this.lastUpTo(after) + 1;
    return { firstRow, rows: Math.max(0, Math.min(most, this.size - firstRow)) };
  }
}

export type HourlyRequest = StationRange & {
  /** Where the stations do not have the same range (D63): those within it. */
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

/** The number of a report's row of the grid. (`indexOf` would compare the text of each row, `transform` compares each code once.) */
const GRID_STATIONS = '{gridStations:Array(String)}';
const CELL = `toUInt64((${NOMINAL_HOUR} - intDiv({firstHour:UInt32}, 3600)) * length(${GRID_STATIONS})
        + transform(station, ${GRID_STATIONS}, range(length(${GRID_STATIONS})), 0))`;

const OBSERVED_AT = 'firstAt';

type PrintedPart = GridPart & {
  readonly format: StreamFormat;
  /** The name of the clause FORMAT: see `OUTPUT_FORMATS`. */
  readonly printedAs: string;
  /** Maximum number of rows, only with a condition. */
  readonly limit?: number | undefined;
};

export function hourlyStatement(
  { fields, condition, local, ranges = [] }: HourlyRequest,
  grid: HourlyGrid,
  { firstRow, rows, format, printedAs, limit }: PrintedPart,
): Select {
  const { stations, firstHour } = grid;
  const beginOf = (row: number) => grid.positionOf(row).hour - EARLY_SECONDS;
  const selection: RowSelection = {
    stations,
    types: REPORT_TYPES,
    window:
      rows === 0 ? NO_TIME : { from: beginOf(firstRow), to: beginOf(firstRow + rows - 1) + SECONDS_PER_HOUR },
    condition,
  };
  const query = fillSql(HOURLY_ROWS, {
    columns:
      format === 'ndjson' ? jsonLine(fields, local) : printedColumns(fields, printingOf(format, local)),
    ownRange: ranges.length > 1 ? IN_OWN_RANGE : '',
    join: condition === undefined ? 'LEFT' : 'INNER',
    cell: CELL,
    values: chosenFields(fields)
      .map(({ sql, alias }) => `, ${sql} AS ${alias}`)
      .join('\n        '),
    reports: currentReports(selection),
    andMeets: andMeets(selection),
    limit: limit === undefined ? '' : 'LIMIT {limit:UInt32}',
    format: printedAs,
  });
  const further = {
    ...{ gridStations: stations, firstHour, firstRow, rows, ...local?.params },
    ...(ranges.length > 1 && ownRanges(stations, ranges)),
    ...(limit && { limit }),
  };
  return { query, ...bindSelection(selection, further) };
}

const COLUMN = `number % length(${GRID_STATIONS}) + 1`;
const IN_OWN_RANGE = `WHERE nominal >= {begins:Array(UInt32)}[${COLUMN}] AND nominal < {ends:Array(UInt32)}[${COLUMN}]`;

/** By station of the grid. */
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
  const text = (time: string) =>
    local?.text(time, 'station') ?? `formatDateTime(${time}, '%Y-%m-%dT%H:%i:%SZ', 'UTC')`;
  const parts = [
    `'{"station":"', station, '","hour":"', ${text('toDateTime(nominal)')}, '"'`,
    `if(isNull(${OBSERVED_AT}), '', concat(',"observedAt":"', ${text(`assumeNotNull(${OBSERVED_AT})`)}, '"'))`,
    `',"n":', toString(n)`,
    ...jsonMembers(fields, printedNumber),
    `'}'`,
  ];
  return `concat(${parts.join(', ')})`;
}

function printingOf(format: StreamFormat, local: LocalTexts | undefined): Printing {
  const printing = format === 'csv' ? AS_TEXT : TYPED;
  return local === undefined ? printing : { ...printing, time: (sql) => local.text(sql, 'station') };
}

function printedColumns(fields: readonly string[], { time, count, value }: Printing): string {
  const times = [`${time("toDateTime(nominal, 'UTC')")} AS hour`, `${time(OBSERVED_AT)} AS observedAt`];
  const values = chosenFields(fields).map((field) => `${value(field, field.alias)} AS ${field.name}`);
  return ['station', ...times, `${count('n')} AS n`, ...values].join(',\n    ');
}

export type HourlyPage = {
  readonly rows: readonly string[];
  /** The row after which the next page begins; absent on the last page. */
  readonly next?: HourlyPosition;
};

/** The older analyzer plans two joins in twice the time, a page of 1,000 rows in 1.5 times the CPU. */
const HOURLY_PAGE_READ: StatementSettings = { ...POINT_READ, ...KEEPS_BLOCKS, enable_analyzer: 1 };

/** Grid rows that one page searches for rows that meet a condition. */
const SEARCHED_ROWS = 100_000;

/** With a condition, or own ranges of stations, a page can be shorter than `limit` while `next` is there (D11). */
export async function readHourlyPage(archive: Archive, request: HourlyRequest): Promise<HourlyPage> {
  const { condition, limit, after } = request;
  const grid = new HourlyGrid(request.stations, request);
  const part = grid.partAfter(after, condition === undefined ? limit : Math.max(limit, SEARCHED_ROWS));
  if (part.rows === 0) return { rows: [] };
  const { name, settings } = OUTPUT_FORMATS.ndjson;
  const statement = hourlyStatement(request, grid, {
    ...part,
    format: 'ndjson',
    printedAs: name,
    limit: condition === undefined ? undefined : limit + 1,
  });
  const printed = await archive.select({
    ...statement,
    settings: { ...settings, ...HOURLY_PAGE_READ, ...planSettings(request) },
  });
  const lines = printed.toString().split('\n').slice(0, -1);
  const end = part.firstRow + part.rows;
  const rows = lines.slice(0, limit);
  if (lines.length > limit) return { rows, next: positionOfLine(rows.at(-1) ?? '') };
  return end < grid.size ? { rows, next: grid.positionOf(end - 1) } : { rows };
}

/** `{"station":"KJFK","hour":"2024-01-31T12:00:00Z"` */
function positionOfLine(line: string): HourlyPosition {
  return { station: line.slice(12, 16), hour: Date.parse(line.slice(26, line.indexOf('"', 26))) / 1000 };
}

/** The rows of the range, and that after which another stream continues; absent if one of `limit` rows reaches the end. */
export function endOfStream(request: HourlyRequest) {
  const grid = new HourlyGrid(request.stations, request);
  const { firstRow, rows } = grid.partAfter(request.after, request.limit);
  const isCut = firstRow + rows < grid.size;
  return { rows: grid.size - firstRow, next: isCut ? grid.positionOf(firstRow + rows - 1) : undefined };
}

export function openHourly(
  archive: Archive,
  request: HourlyRequest,
  format: StreamFormat,
): Promise<RecordStream> {
  return joinWindows(format, request.limit, openWindows(archive, request, format));
}

/** 93,000 rows with all fields, 348,000 with 13: more take more memory of the engine, fewer more plans of 20 ms. */
const WINDOW_VALUES = 8_000_000;
/** Further columns of each row count as this many values. */
const KEY_VALUES = 10;

async function* openWindows(
  archive: Archive,
  request: HourlyRequest,
  format: StreamFormat,
): AsyncGenerator<Readable, undefined> {
  const grid = new HourlyGrid(request.stations, request);
  const { firstRow, rows } = grid.partAfter(request.after, request.limit);
  const { name, following } = OUTPUT_FORMATS[format];
  const settings = streamSettings(format, request);
  const windowRows = Math.floor(WINDOW_VALUES / (request.fields.length + KEY_VALUES));
  // A stream without rows has one window, so that its format is printed.
  for (let at = firstRow; at === firstRow || at < firstRow + rows; at += windowRows) {
    const statement = hourlyStatement(request, grid, {
      firstRow: at,
      rows: Math.min(windowRows, firstRow + rows - at),
      format,
      printedAs: at === firstRow ? name : following,
    });
    yield archive.stream({ ...statement, settings });
  }
}
