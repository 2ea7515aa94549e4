import { createRequire } from 'node:module';

/** An open chDB connection: one ClickHouse session, one statement at a time. */
export type Connection = { readonly __connection: unique symbol };

/** A result that is fetched block by block. */
export type Cursor = { readonly __cursor: unique symbol };

export type Result = {
  readonly bytes: Buffer;
  readonly elapsed: number;
  readonly rowsRead: number;
  readonly bytesRead: number;
};

export type Written = {
  readonly elapsed: number;
  readonly rowsWritten: number;
  readonly bytesWritten: number;
};

export type Block =
  | { readonly done: true }
  | { readonly done: false; readonly bytes: Buffer; readonly numRows: number };

/**
 * The calls of chDB's native binding that the engine needs. The package's own `Session` is not enough: it
 * takes insert data in eight text formats only, and reports written rows for those alone.
 * A connection must never be closed while a call on it is unsettled: that aborts the engine of the whole process.
 */
export type Library = {
  CreateConnection(path: string, options: readonly string[]): Connection;
  CloseConnection(connection: Connection): void;
  QueryAsyncConnection(connection: Connection, statement: string, format: string): Promise<Result>;
  /** Runs `statement`, a line feed and `data` as one text; `data` stays bytes. */
  InsertRawAsyncConnection(
    connection: Connection,
    statement: string,
    data: Buffer,
    countLines: boolean,
  ): Promise<Written>;
  StreamQuery(connection: Connection, statement: string, format: string): Cursor;
  StreamFetch(cursor: Cursor): Promise<Block>;
  StreamCancel(cursor: Cursor): void;
};

/** Loads chDB, an optional dependency; throws where it is not installed or has no build for this platform. */
export function loadLibrary(): Library {
  const packageEntry = createRequire(import.meta.url).resolve('chdb');
  const loader = createRequire(packageEntry)('./dist/loader.js') as { loadNative(): Library };
  return loader.loadNative();
}
