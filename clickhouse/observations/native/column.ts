/**
 * Columns of a block in ClickHouse's Native format: all values of a column one after another, little-endian, as the engine
 * itself holds them, so that there is nothing left to parse.
 *
 * A value goes to a row of its own, rows in ascending order; a Nullable's row that is passed over is NULL.
 */
export interface Column {
  /** As the header of the block names it. */
  readonly type: string;
  /** The bytes of so many rows: views, good until the column is cleared. */
  parts(rows: number): readonly Uint8Array[];
  /** Makes room for another block. */
  clear(): void;
}

/** Rows there is room for at first. */
export const INITIAL_ROWS = 2048;
