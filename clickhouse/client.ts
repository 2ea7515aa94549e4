import type { Archive, StatementSettings } from './archive.ts';
import { CLUSTER_READS, onCluster } from './cluster/cluster-archive.ts';
import { useOneServerOf } from './cluster/server-list.ts';
import { openServer, type ServerLogin } from './one-server.ts';

export type ArchiveSettings = ServerLogin & {
  /** `http://host:port` of a ClickHouse server or the embedded engine; or several with commas, used one at a time. */
  readonly url: string;
  /** The cluster whose shards hold the reports. */
  readonly cluster?: string;
};

/**
 * Times print as RFC 3339 in UTC, temperatures as canonical decimal strings, and a tuple of columns as an object keyed
 * by column name; absent fields are omitted.
 */
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

/**
 * Opens the archive; it connects with the first statement. Close it with `close()`.
 *
 * @param connections maximum number of sockets: further statements wait for one, so the caller limits concurrency
 * @param more settings for every statement, in addition to those that all programs need
 */
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
    // No asynchronous inserts: each insert is one part, on disk when it is acknowledged.
    async_insert: 0,
    ...(cluster !== undefined && CLUSTER_READS),
    ...more,
  };
  const servers = url
    .split(',')
    .map((server) => openServer({ ...login, url: server }, connections, settings));
  const archive = useOneServerOf(servers);
  if (cluster === undefined) return archive;
  return onCluster(archive, { cluster, database: login.database, replication: 'on' });
}
