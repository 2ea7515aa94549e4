import type { Readable } from 'node:stream';
import type { ClickHouseSettings } from '@clickhouse/client';

export type StatementSettings = ClickHouseSettings;

export type Statement = {
  readonly query: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly settings?: StatementSettings;
};

export type Select = Statement & {
  /** Reads only the stations in its parameter `stations`, so a cluster needs only their shards. */
  readonly ofStations?: boolean;
  readonly file?: AttachedFile;
};

export type AttachedFile = {
  readonly name: string;
  readonly format: string;
  /** The columns that are read, with their types. */
  readonly structure: string;
  readonly bytes: Buffer;
};

type Insert = {
  readonly table: string;
  /** Objects keyed by column name, or bytes in ClickHouse's `Native` format, sent as they are produced. */
  readonly rows: readonly object[] | Readable;
  readonly settings?: StatementSettings;
};

/** Every statement can be canceled; it fails with an error that `storageFailure` recognizes. */
export type Archive = {
  /** The whole result: a failure never yields a truncated one. */
  select(select: Select, signal?: AbortSignal): Promise<Buffer>;
  /** As they arrive, with `AS_IT_RUNS` while the statement runs; a failure after the first bytes is an error of the stream. */
  stream(select: Select, signal?: AbortSignal): Promise<Readable>;
  insert(insert: Insert, signal?: AbortSignal): Promise<void>;
  /** Runs an `INSERT … SELECT … FROM input(…) FORMAT …` over a file; resolves when its rows are stored. */
  insertFile(statement: Statement, bytes: Buffer, signal?: AbortSignal): Promise<void>;
  command(statement: Statement, signal?: AbortSignal): Promise<void>;
  ping(signal?: AbortSignal): Promise<void>;
  /** Servers whose data can differ for a moment. */
  readonly isCluster: boolean;
  /** How many times the archive has switched servers, whose data and names of parts can differ. */
  countServerChanges(): number;
  close(): Promise<void>;
};

/** The same archive, in which the signal cancels every statement that has no signal of its own. */
export function canceledBy(signal: AbortSignal, archive: Archive): Archive {
  return {
    ...archive,
    select: (select, own = signal) => archive.select(select, own),
    stream: (select, own = signal) => archive.stream(select, own),
    insert: (insert, own = signal) => archive.insert(insert, own),
    insertFile: (statement, bytes, own = signal) => archive.insertFile(statement, bytes, own),
    command: (statement, own = signal) => archive.command(statement, own),
    ping: (own = signal) => archive.ping(own),
  };
}

/** Rows leave the server block by block, at the reader's pace. */
export const AS_IT_RUNS: StatementSettings = { wait_end_of_query: 0, http_response_buffer_size: '0' };

/** The last bytes of a complete text in the formats `CustomSeparated…`: ClickHouse prints them after the last row. */
export const TEXT_END = '\r\n__end__\r\n';

export const WITH_END: StatementSettings = { format_custom_result_after_delimiter: TEXT_END };

/** Takes 16 MB of memory, because a server that is nearly out of memory refuses pages but still answers `SELECT 1`. */
export const PROBE = 'SELECT ignore(range(2000000))';
