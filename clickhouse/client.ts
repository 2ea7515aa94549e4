import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
  type QueryParams,
} from '@clickhouse/client';
import { CLUSTER_READS, toClusterClient } from './cluster/cluster-client.ts';
import { useOneNodeOf } from './cluster/node-list.ts';
import { traceHeaders } from './trace-context.ts';

export type ArchiveSettings = {
  /** `http://host:port` of a ClickHouse server, or of the embedded engine; or several with commas, used one at a time. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
  /** The cluster that has the reports on several shards. */
  readonly cluster?: string;
};

/** Times are printed as RFC 3339 in UTC, temperatures as canonical decimal strings, absent fields not at all. */
const PRINTING = {
  date_time_output_format: 'iso',
  output_format_json_quote_decimals: 1,
  output_format_json_quote_64bit_integers: 1,
  output_format_json_skip_null_value_in_named_tuples: 1,
  output_format_json_escape_forward_slashes: 0,
} as const;

/** More than a page of 10,000 records with all decoded fields. */
const RESPONSE_BUFFER_BYTES = 16 * 1024 * 1024;

/**
 * Opens the archive; it connects with the first query. Close it with `close()`.
 *
 * @param connections sockets at most: a query beyond them waits, so bound what is asked at once
 * @param more settings of every statement, beside those that all programs need
 */
export function openArchive(
  { url, cluster, ...login }: ArchiveSettings,
  connections = 10,
  more: ClickHouseSettings = {},
): ClickHouseClient {
  const settings: ClickHouseSettings = {
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
  const open = (node: string): ClickHouseClient => {
    const client = createClient({
      ...login,
      url: node,
      application: 'historical-observations',
      max_open_connections: connections,
      request_timeout: 300_000,
      // Who asked logs what failed; the client would say it a second time.
      log: { level: ClickHouseLogLevel.OFF },
      clickhouse_settings: settings,
    });
    sendTraceHeaders(client);
    return client;
  };
  const [first = '', ...others] = url.split(',');
  const client = useOneNodeOf([open(first), ...others.map(open)]);
  if (cluster === undefined) return client;
  return toClusterClient(client, { cluster, database: login.database, replication: 'on' });
}

/** The client takes headers for each query only; a caller of `query` or `exec` need not know of traces. */
function sendTraceHeaders(client: ClickHouseClient): void {
  const [query, exec] = [client.query.bind(client), client.exec.bind(client)];
  const traced = <P extends Pick<QueryParams, 'http_headers'>>(params: P): P => ({
    ...params,
    http_headers: { ...params.http_headers, ...traceHeaders() },
  });
  client.query = (params) => query(traced(params));
  client.exec = (params) => exec(traced(params));
}
