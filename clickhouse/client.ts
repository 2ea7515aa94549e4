import type { Archive, StatementSettings } from './archive.ts';
import { CLUSTER_READS, onCluster } from './cluster/cluster-archive.ts';
import { useOneServerOf } from './cluster/server-list.ts';
import { openServer, type ServerLogin } from './one-server.ts';

export type ArchiveSettings = ServerLogin & {
  /** `http://host:port` of a ClickHouse server, or of the embedded engine; or several with commas, used one at a time. */
  readonly url: string;
  /** The cluster that has the reports on several shards. */
  readonly cluster?: string;
};

/**
 * Times are printed as RFC 3339 in UTC, temperatures as canonical decimal strings, absent fields not at all, and a tuple of
 * columns as an object with their names.
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
 * @param connections sockets at most: more statements at once wait for one, so the caller limits their number
 * @param more settings of every statement, beside those that all programs need
 */
export function openArchive(
  { url, cluster, ...login }: ArchiveSettings,
  connections = 10,
  more: StatementSettings = {},
): Archive {
  const settings: StatementSettings = {
    ...PRINTING,
    // Buffered until it is whole: a failure half way is an error then, not a short answer under 200.
    wait_end_of_query: 1,
    // In memory: by default the server writes the whole answer to a temporary file first.
    http_response_buffer_size: String(RESPONSE_BUFFER_BYTES),
    cancel_http_readonly_queries_on_client_close: 1,
    // An insert is one part, on disk when it is acknowledged: never gathered with others.
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
