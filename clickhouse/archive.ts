import type { Readable } from 'node:stream';
import type { ClickHouseSettings } from '@clickhouse/client';

/** Settings of ClickHouse by name. */
export type StatementSettings = ClickHouseSettings;

/** A SQL statement with the values of its parameters. */
export type Statement = {
  readonly query: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly settings?: StatementSettings;
};

/** A SELECT with a `FORMAT` clause. */
export type Select = Statement & {
  /** It reads reports of the stations in its parameter `stations`: a cluster needs only the shards of these stations. */
  readonly ofStations?: boolean;
  /** A file that the statement reads as a table. */
  readonly file?: AttachedFile;
};

/** A file that is sent with a SELECT, for a table of this name. */
export type AttachedFile = {
  readonly name: string;
  /** The name of its format, as in the clause `FORMAT`. */
  readonly format: string;
  /** The columns that are read, with their types. */
  readonly structure: string;
  readonly bytes: Buffer;
};

type Insert = {
  readonly table: string;
  /** Objects by column name; or bytes in ClickHouse's format `Native`, which are sent as they are made. */
  readonly rows: readonly object[] | Readable;
  readonly settings?: StatementSettings;
};

/**
 * The connections to the archive. Every statement can be cancelled, and fails with an error that `storageFailure`
 * knows. The loader and the api use nothing else of ClickHouse's client.
 */
export type Archive = {
  /** All bytes of the result. The server keeps them until it is complete, so a failure is never a short result. */
  select(select: Select, signal?: AbortSignal): Promise<Buffer>;
  /**
   * The bytes of the result as they arrive; a failure after the first bytes is an error of the stream. With
   * `AS_IT_RUNS` they arrive while the statement runs.
   */
  stream(select: Select, signal?: AbortSignal): Promise<Readable>;
  /** Resolves when the rows are stored. */
  insert(insert: Insert, signal?: AbortSignal): Promise<void>;
  /** Runs an `INSERT … SELECT … FROM input(…) FORMAT …` over a file; resolves when its rows are stored. */
  insertFile(statement: Statement, bytes: Buffer, signal?: AbortSignal): Promise<void>;
  /** Runs a statement without a result. */
  command(statement: Statement, signal?: AbortSignal): Promise<void>;
  /** Throws unless a server answers a small query. */
  ping(signal?: AbortSignal): Promise<void>;
  /**
   * How often another server of the list has been chosen. What was read before a change may differ from what the next
   * server has, and parts have other names there.
   */
  countServerChanges(): number;
  close(): Promise<void>;
};

/** Settings of a statement whose rows leave the server one block after the other, at the pace of the reader. */
export const AS_IT_RUNS = {
  wait_end_of_query: 0,
  http_response_buffer_size: '0',
} as const satisfies StatementSettings;

/**
 * The statement by which a server shows that it serves. It takes 16 MB: a server whose memory is nearly used up refuses
 * pages and still answers `SELECT 1`.
 */
export const PROBE = 'SELECT ignore(range(2000000))';
