import type { Archive, StatementSettings } from './archive.ts';
import { CLUSTER_READS, readShards, withLayout } from './cluster.ts';
import { hasCode, isServerDown, NOT_ANSWERED, NOT_CONNECTED, storageFailure } from './errors.ts';
import { openServer, type ServerLogin } from './one-server.ts';

export type ArchiveSettings = ServerLogin & {
  /** `http://host:port` of a ClickHouse server or the embedded engine; or several with commas, used one at a time. */
  readonly url: string;
  readonly cluster?: string;
};

/** Times in RFC 3339, temperatures as canonical decimals; a tuple is an object by column name, without absent fields. */
const PRINTING = {
  date_time_output_format: 'iso',
  output_format_json_quote_decimals: 1,
  output_format_json_quote_64bit_integers: 1,
  output_format_json_skip_null_value_in_named_tuples: 1,
  output_format_json_escape_forward_slashes: 0,
  enable_named_columns_in_function_tuple: 1,
} as const;

/** More than a page of 10,000 records with all decoded fields. */
const RESPONSE_BUFFER_BYTES = 16 * 1024 * 1024;

/** @param connections the most sockets: further statements wait; `more` settings are added to those of all programs */
export function openArchive(
  { url, cluster, ...login }: ArchiveSettings,
  connections = 10,
  more: StatementSettings = {},
): Archive {
  const settings: StatementSettings = {
    ...PRINTING,
    // Buffered until complete, so a failure midway is an error, not a truncated response with status 200.
    wait_end_of_query: 1,
    // In memory: by default the server writes the whole answer to a temporary file first.
    http_response_buffer_size: String(RESPONSE_BUFFER_BYTES),
    cancel_http_readonly_queries_on_client_close: 1,
    // A report is in one partition of each table, so FINAL needs no merge of two.
    do_not_merge_across_partitions_select_final: 1,
    // No asynchronous inserts: each insert is one part, on disk when it is acknowledged.
    async_insert: 0,
    ...(cluster !== undefined && CLUSTER_READS),
    ...more,
  };
  const open = (server: string) => openServer({ ...login, url: server }, connections, settings);
  const place = cluster === undefined ? undefined : { cluster, database: login.database };
  return withLayout(useOneServerOf(url.split(',').map(open)), place);
}

/** An insert not stored by all replicas by then may or may not be in the archive, so the slice is loaded again. */
const QUORUM_TIMEOUT_MS = 60_000;

/** In a cluster every replica of the shard has a row before it is acknowledged, so before the ledger claims its day (D16). */
export async function readInsertSettings(settings: ArchiveSettings): Promise<StatementSettings> {
  const { cluster } = settings;
  if (cluster === undefined) return {};
  const client = openArchive(settings);
  try {
    const [shard] = await readShards(client, cluster);
    return {
      distributed_foreground_insert: 1,
      insert_quorum: String(shard?.replicas ?? 1),
      insert_quorum_timeout: QUORUM_TIMEOUT_MS,
      // Keeper would drop a repeated insert of rows that were deleted meanwhile.
      insert_deduplicate: 0,
    };
  } finally {
    await client.close();
  }
}

/** Whether a ping shows that the server cannot be used: any error does, also a timeout, except that it is overloaded. */
const isFailedPing = (error: unknown) => storageFailure(error) !== 'overloaded';

/** A statement that could not connect, or a SELECT that was reset, goes to the next server at once; other failures are thrown. */
function useOneServerOf(servers: readonly Archive[]): Archive {
  const [first] = servers;
  if (first === undefined) throw new Error('The list of servers is empty');
  if (servers.length === 1) return first;
  let changes = 0;
  const current = () => servers[changes % servers.length] ?? first;

  async function run<T>(
    work: (server: Archive) => Promise<T>,
    repeatedCodes: readonly string[],
    isDown = isServerDown,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const before = changes;
      try {
        return await work(current());
      } catch (error) {
        // Another request may already have switched servers.
        if (isDown(error) && changes === before) changes += 1;
        if (attempt === servers.length || !hasCode(error, repeatedCodes)) throw error;
      }
    }
  }

  return {
    select: (select, signal) => run((server) => server.select(select, signal), NOT_ANSWERED),
    stream: (select, signal) => run((server) => server.stream(select, signal), NOT_ANSWERED),
    command: (statement, signal) => run((server) => server.command(statement, signal), NOT_CONNECTED),
    // Part of a row stream may already have been sent.
    insert: (insert, signal) =>
      run((server) => server.insert(insert, signal), Array.isArray(insert.rows) ? NOT_CONNECTED : []),
    insertFile: (statement, bytes, signal) =>
      run((server) => server.insertFile(statement, bytes, signal), NOT_CONNECTED),
    ping: (signal) => run((server) => server.ping(signal), NOT_ANSWERED, isFailedPing),
    isCluster: false,
    countServerChanges: () => changes,
    async close() {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}
