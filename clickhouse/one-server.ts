import { randomUUID } from 'node:crypto';
import type { Agent, IncomingMessage } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client';
import { type Archive, type AttachedFile, PROBE, type Select, type Statement } from './archive.ts';
import { failOnException } from './fail-on-exception.ts';
import { traceHeaders } from './trace-context.ts';

export type ServerLogin = {
  /** `http://host:port`. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
  /** Opens connections if the server must prove its identity before a login is sent. */
  readonly openAgent?: (connections: number) => Agent;
};

/**
 * The archive on one server, which is connected with the first statement.
 *
 * @param connections maximum number of sockets: further statements wait for one, so the caller limits concurrency
 * @param settings for every statement
 */
export function openServer(
  { openAgent, ...login }: ServerLogin,
  connections: number,
  settings: ClickHouseSettings,
): Archive {
  const client = createClient({
    ...login,
    application: 'historical-observations',
    max_open_connections: connections,
    ...(openAgent && { http_agent: openAgent(connections) }),
    request_timeout: 300_000,
    // The caller logs failures; the client would log them twice.
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: settings,
  });
  const run = (statement: Statement, signal?: AbortSignal, values?: Readable) =>
    client.exec({ ...paramsOf(statement, signal), ...(values && { values }) });
  const read = ({ file, ...select }: Select, signal?: AbortSignal) =>
    file === undefined ? run(select, signal) : client.exec(withFile(select, file, signal));
  return {
    async select(select, signal) {
      const { stream } = await read(select, signal);
      return readAll(stream);
    },
    async stream(select, signal) {
      const { stream, response_headers: headers } = await read(select, signal);
      // The reader decides how long the response takes. The client sets the timeout again with its next request.
      if (select.settings?.wait_end_of_query === 0) (stream as IncomingMessage).socket.setTimeout(0);
      const checked = failOnException(String(headers['x-clickhouse-exception-tag'] ?? ''));
      // An error of either is an error of `checked`, and stays in `errored` until it is read.
      checked.on('error', () => {});
      pipeline(stream, checked, () => {});
      return checked;
    },
    async insert({ table, rows, ...insert }, signal) {
      const isNative = rows instanceof Readable;
      const query = `INSERT INTO ${table} FORMAT ${isNative ? 'Native' : 'JSONEachRow'}`;
      const { stream } = await run({ query, ...insert }, signal, isNative ? rows : linesOf(rows));
      await readAll(stream);
    },
    async insertFile(statement, bytes, signal) {
      const { stream } = await run(statement, signal, Readable.from([bytes]));
      await readAll(stream);
    },
    async command(statement, signal) {
      await client.command(paramsOf(statement, signal));
    },
    async ping(signal) {
      const { stream } = await run({ query: PROBE }, signal);
      await readAll(stream);
    },
    countServerChanges: () => 0,
    close: () => client.close(),
  };
}

/** Throws if the signal has already aborted: the client would still send the statement. */
function paramsOf({ query, params, settings }: Statement, signal?: AbortSignal) {
  signal?.throwIfAborted();
  return {
    query,
    ...(params && { query_params: params }),
    ...(settings && { clickhouse_settings: settings }),
    ...(signal && { abort_signal: signal }),
    http_headers: { ...traceHeaders() },
  };
}

/** A file as ClickHouse accepts it for an external table: the only part of a form. */
function withFile(select: Statement, { name, format, structure, bytes }: AttachedFile, signal?: AbortSignal) {
  const { http_headers, clickhouse_settings, ...params } = {
    clickhouse_settings: {},
    ...paramsOf(select, signal),
  };
  const boundary = randomUUID();
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${name}"\r\n\r\n`;
  return {
    ...params,
    clickhouse_settings: {
      ...clickhouse_settings,
      [`${name}_format`]: format,
      [`${name}_structure`]: structure,
    } as ClickHouseSettings,
    http_headers: { ...http_headers, 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    values: Readable.from([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

function linesOf(rows: readonly object[]): Readable {
  return Readable.from(rows.map((row) => Buffer.from(`${JSON.stringify(row)}\n`)));
}

/** Bytes in their own memory: a slice of Node's pool would retain the whole pool. */
async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  const bytes = Buffer.allocUnsafeSlow(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let end = 0;
  for (const chunk of chunks) end += chunk.copy(bytes, end);
  return bytes;
}
