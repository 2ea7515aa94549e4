import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import { failOnException } from './fail-on-exception.ts';
import type { Select } from './select.ts';

/**
 * The bytes that a statement prints, while it runs. The statement has a `FORMAT` clause of its own. A failure before the
 * first bytes throws; a later one is an error of the stream.
 */
export async function openBytes(
  client: ClickHouseClient,
  { query, params, settings }: Select,
  signal: AbortSignal,
): Promise<Readable> {
  const { stream, response_headers: headers } = await client.exec({
    query,
    ...(params && { query_params: params }),
    clickhouse_settings: { ...settings, wait_end_of_query: 0, http_response_buffer_size: '0' },
    abort_signal: signal,
  });
  // The reader decides how long the response takes. The client sets the timeout again with its next request.
  (stream as IncomingMessage).socket.setTimeout(0);
  const checked = failOnException(String(headers['x-clickhouse-exception-tag'] ?? ''));
  // An error of either is an error of `checked`, and stays in `errored` until somebody reads.
  checked.on('error', () => {});
  pipeline(stream, checked, () => {});
  return checked;
}
