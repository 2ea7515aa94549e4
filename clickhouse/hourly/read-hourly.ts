import type { Readable } from 'node:stream';
import { type Archive, AS_IT_RUNS } from '../archive.ts';
import { joinWindows, RecordStream } from '../observations/stream/join-windows.ts';
import { JOINERS } from '../observations/stream/joiners.ts';
import { OUTPUT_FORMATS, type StreamFormat, WEEK_SECONDS } from '../observations/stream/output-formats.ts';
import { LONG_READ, POINT_READ } from '../statements/query-settings.ts';
import { HourlyGrid, type HourlyPosition } from './hourly-grid.ts';
import { type HourlyRequest, hourlyStatement } from './hourly-statement.ts';

export type HourlyPage = {
  /** The JSON text of each row. */
  readonly rows: readonly string[];
  /** The row after which the next page begins; absent on the last page. */
  readonly next?: HourlyPosition;
};

/** Grid rows that one page searches for rows that meet a condition. */
const SEARCHED_ROWS = 100_000;
/** Grid rows that one statement of a stream reads. */
const WINDOW_ROWS = 100_000;

/** Reads one page (D46). With a condition it can be shorter than `limit`, or empty, while `next` is there (D11). */
export async function readHourlyPage(
  archive: Archive,
  request: HourlyRequest,
  signal: AbortSignal,
): Promise<HourlyPage> {
  const { condition, limit, after } = request;
  const grid = new HourlyGrid(request.stations, request);
  const part = grid.partAfter(after, condition === undefined ? limit : Math.max(limit, SEARCHED_ROWS));
  if (part.rows === 0) return { rows: [] };
  const most = condition === undefined ? undefined : limit + 1;
  const { name } = OUTPUT_FORMATS.ndjson;
  const statement = hourlyStatement(request, grid, part, 'ndjson', name, most);
  const printed = await archive.select({ ...statement, settings: POINT_READ }, signal);
  const lines = printed.toString().split('\n').slice(0, -1);
  const end = part.firstRow + part.rows;
  const rows = lines.slice(0, limit);
  if (lines.length > limit) return { rows, next: positionOfLine(rows.at(-1) ?? '') };
  return end < grid.size ? { rows, next: grid.positionOf(end - 1) } : { rows };
}

/** `{"station":"KJFK","hour":"2024-01-31T12:00:00Z"` */
function positionOfLine(line: string): HourlyPosition {
  return { station: line.slice(12, 16), hour: Date.parse(line.slice(26, 46)) / 1000 };
}

/**
 * A stream covers up to `limit` rows of the grid; with a condition, it has those that meet it.
 *
 * @returns the row after which another stream continues; absent if this one reaches the end of the range
 */
export function nextOfStream({
  stations,
  from,
  to,
  after,
  limit,
}: HourlyRequest): HourlyPosition | undefined {
  const grid = new HourlyGrid(stations, { from, to });
  const { firstRow, rows } = grid.partAfter(after, limit);
  return firstRow + rows < grid.size ? grid.positionOf(firstRow + rows - 1) : undefined;
}

/** Opens the bytes of a stream in a format, by one statement a window. */
export async function openHourly(
  archive: Archive,
  request: HourlyRequest,
  format: StreamFormat,
  signal: AbortSignal,
): Promise<RecordStream> {
  const grid = new HourlyGrid(request.stations, request);
  const { firstRow, rows } = grid.partAfter(request.after, request.limit);
  const settings = {
    ...OUTPUT_FORMATS[format].settings,
    ...AS_IT_RUNS,
    ...LONG_READ,
    max_execution_time: WEEK_SECONDS,
    // A block of the default size, 1 MB, holds few rows of so many columns, and each block costs CPU.
    preferred_block_size_bytes: '0',
  };
  let at = firstRow;
  const openNext = async (): Promise<Readable | undefined> => {
    const isFirst = at === firstRow;
    if (at >= firstRow + rows && !isFirst) return undefined;
    const part = { firstRow: at, rows: Math.min(WINDOW_ROWS, firstRow + rows - at) };
    at += Math.max(1, part.rows);
    const { name, following } = OUTPUT_FORMATS[format];
    const statement = hourlyStatement(request, grid, part, format, isFirst ? name : following);
    return archive.stream({ ...statement, settings }, signal);
  };
  const first = await openNext();
  const joined = new RecordStream();
  joinWindows(first, openNext, JOINERS[format](request.limit), joined);
  return joined;
}
