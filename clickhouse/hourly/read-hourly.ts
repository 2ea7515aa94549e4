import type { Readable } from 'node:stream';
import type { Archive } from '../archive.ts';
import { joinWindows, type RecordStream } from '../observations/stream/join-windows.ts';
import { OUTPUT_FORMATS, type StreamFormat, streamSettings } from '../observations/stream/output-formats.ts';
import { POINT_READ } from '../statements/select.ts';
import { HourlyGrid, type HourlyPosition, type HourlyRequest, hourlyStatement } from './hourly-statement.ts';

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
  after,
  limit,
  ...range
}: HourlyRequest): HourlyPosition | undefined {
  const grid = new HourlyGrid(stations, range);
  const { firstRow, rows } = grid.partAfter(after, limit);
  return firstRow + rows < grid.size ? grid.positionOf(firstRow + rows - 1) : undefined;
}

/** Opens the bytes of a stream in a format, by one statement a window. */
export function openHourly(
  archive: Archive,
  request: HourlyRequest,
  format: StreamFormat,
  signal: AbortSignal,
): Promise<RecordStream> {
  return joinWindows(format, request.limit, openWindows(archive, request, format, signal));
}

async function* openWindows(
  archive: Archive,
  request: HourlyRequest,
  format: StreamFormat,
  signal: AbortSignal,
): AsyncGenerator<Readable, undefined> {
  const grid = new HourlyGrid(request.stations, request);
  const { firstRow, rows } = grid.partAfter(request.after, request.limit);
  const { name, following } = OUTPUT_FORMATS[format];
  // A block of the default size, 1 MB, holds few rows of so many columns, and each block costs CPU.
  const settings = { ...streamSettings(format), preferred_block_size_bytes: '0' };
  // A stream without rows has one window, so that its format is printed.
  for (let at = firstRow; at === firstRow || at < firstRow + rows; at += WINDOW_ROWS) {
    const part = { firstRow: at, rows: Math.min(WINDOW_ROWS, firstRow + rows - at) };
    const statement = hourlyStatement(request, grid, part, format, at === firstRow ? name : following);
    yield archive.stream({ ...statement, settings }, signal);
  }
}
