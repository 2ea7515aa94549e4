/**
 * A column of a block in the Native format of ClickHouse: all values of a column one after another, little-endian, as
 * the server holds them itself, so that it parses nothing.
 *
 * Each value has a row, and rows come in ascending order. A row without a value is NULL where the column is Nullable.
 */
export interface Column {
  /** The name of the type in the header of the block. */
  readonly type: string;
  /** The bytes of the first `rows` rows: views, valid until the column is cleared. */
  parts(rows: number): readonly Uint8Array[];
  /** Empties the column for the next block. */
  clear(): void;
}

/** Initial capacity of a column, in rows. */
export const INITIAL_ROWS = 2048;
