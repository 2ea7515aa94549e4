import type { Readable } from 'node:stream';
import type { Archive, Select } from './archive.ts';
import { bytesBetween, joinRecords, type Records, recordsOfLines } from './observations/records.ts';
import { joinWindows, type RecordStream } from './observations/stream/join-windows.ts';
import type { RowFormat, StreamFormat } from './observations/stream/output-formats.ts';

/** Rows of a grid that one statement reads, `[firstRow, endRow)`. */
export type GridWindow = { readonly firstRow: number; readonly endRow: number };

/** The rows of a request before anything is read, so that their number and the place of any row are known. */
type Grid<Position> = {
  readonly size: number;
  /** The number of the first row after a position, whose station may no longer be in the grid if the request names an area. */
  rowAfter(position: Position | undefined): number;
  positionOf(row: number): Position;
  /** Divides the rows of a window into windows of up to `most` rows. */
  windows(rows: GridWindow, most: number): Iterable<GridWindow>;
};

/** How a statement prints its rows. */
export type PrintedAs = {
  /** `json` prints the rows of a page, one on each line. */
  readonly format: RowFormat;
  /** Whether the rows follow those of another statement, so that they need no header. */
  readonly isFollowing?: boolean;
  readonly limit?: number;
};

type SelectOfWindow = (window: GridWindow, as: PrintedAs) => Promise<Select>;

export type GridRows<Position> = {
  readonly archive: Archive;
  readonly grid: Grid<Position>;
  readonly select: SelectOfWindow;
  /** How many rows one statement reads for a page, and for a stream. */
  readonly windowRows: { readonly page: number; readonly stream: number };
  readonly limit: number;
  readonly after?: Position | undefined;
  /** Whether a condition leaves rows out. */
  readonly isFiltered: boolean;
  /** Selects the keys of rows that meet the condition. With it, `limit` of a stream counts these rows, not those of the grid. */
  readonly selectKeys?: SelectOfWindow | undefined;
  readonly positionIn: (row: Readonly<Record<string, unknown>>) => Position;
};

/** After this time a page ends with the window that is being read, and the next page continues there. */
const PAGE_MS = 1000;

/** The rows of a page, and the position after which the next page begins, if another page follows or may follow. */
export async function readGridPage<Position>(rows: GridRows<Position>) {
  const { archive, grid, windowRows, limit, after, isFiltered, select } = rows;
  const firstRow = grid.rowAfter(after);
  const endRow = isFiltered ? grid.size : Math.min(grid.size, firstRow + limit);
  const parts: Records[] = [];
  let missing = limit;
  const begin = performance.now();
  for (const window of grid.windows({ firstRow, endRow }, windowRows.page)) {
    const found = recordsOfLines(
      await archive.select(await select(window, { format: 'json', limit: missing + 1 })),
    );
    if (found.count > missing) {
      const records = joinRecords([...parts, found], limit);
      return { records, next: positionOfLast(rows, records) };
    }
    parts.push(found);
    missing -= found.count;
    if (window.endRow < endRow && performance.now() - begin > PAGE_MS)
      return { records: joinRecords(parts), next: grid.positionOf(window.endRow - 1) };
  }
  const next = endRow < grid.size ? grid.positionOf(endRow - 1) : undefined;
  return { records: joinRecords(parts), next };
}

/**
 * The rows of a stream, which has up to `limit`. If there are more, also how many there are and where the next stream begins. Rows
 * that meet a condition are counted only if there may be more than `limit`.
 *
 * @param isWhole whether the stream must not be cut: then all rows are counted
 */
export async function extentOf<Position>(rows: GridRows<Position>, isWhole: boolean) {
  const { archive, grid, windowRows, limit, after, selectKeys } = rows;
  const firstRow = grid.rowAfter(after);
  const all = { firstRow, endRow: grid.size, count: 0, next: undefined };
  if (grid.size - firstRow <= limit) return all;
  if (selectKeys === undefined) {
    const endRow = firstRow + limit;
    return { firstRow, endRow, count: grid.size - firstRow, next: grid.positionOf(endRow - 1) };
  }
  let [count, next]: [number, Position | undefined] = [0, undefined];
  for (const window of grid.windows(all, windowRows.stream)) {
    const found = recordsOfLines(await archive.select(await selectKeys(window, { format: 'json' })));
    if (next === undefined && count + found.count > limit)
      next = positionOfLast(rows, joinRecords([found], limit - count));
    count += found.count;
    if (next !== undefined && !isWhole) break;
  }
  return next === undefined ? all : { firstRow, endRow: grid.rowAfter(next), count, next };
}

/** An answer without rows has a header, a schema or a footer in every format but NDJSON: this window prints it. */
const NO_ROWS: GridWindow = { firstRow: 0, endRow: 0 };

/** Opens rows of a grid in a format, by one statement for each `windowRows.stream` of them. */
export function openGrid<Position>(
  { archive, grid, select, windowRows, limit }: Omit<GridRows<Position>, 'isFiltered' | 'positionIn'>,
  format: StreamFormat,
  rows: GridWindow,
): Promise<RecordStream> {
  async function* windows(): AsyncGenerator<Readable, undefined> {
    let isFollowing = false;
    for (const window of rows.firstRow < rows.endRow ? grid.windows(rows, windowRows.stream) : [NO_ROWS]) {
      yield archive.stream(await select(window, { format, isFollowing }));
      isFollowing = true;
    }
  }
  return joinWindows(format, limit, windows());
}

function positionOfLast<Position>({ positionIn }: GridRows<Position>, records: Records): Position {
  return positionIn(JSON.parse(`${bytesBetween(records, records.count - 1, records.count)}`));
}
