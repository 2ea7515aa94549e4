import { randomUUID } from 'node:crypto';
import type { Agent, IncomingMessage } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client';
import { passWhole, requireResult, requireWhole } from './answer.ts';
import { type Archive, type AttachedFile, PROBE, type Select, type Statement } from './archive.ts';
import { isDamagedPart } from './errors.ts';

export type ServerLogin = {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
  /** Opens connections if the server must prove its identity before a login is sent. */
  readonly openAgent?: (connections: number) => Agent;
  /** Is called when the server has found a file of a part damaged; the statement fails. */
  readonly onDamage?: (error: unknown) => void;
};

/** @param connections maximum number of sockets: further statements wait for one */
export function openServer(
  { openAgent, onDamage = () => {}, ...login }: ServerLogin,
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
  const report = (error: unknown) => void (isDamagedPart(error) && onDamage(error));
  const exec = async (params: Parameters<typeof client.exec>[0]) => {
    const answer = await client.exec({ ...params, ignore_error_response: true });
    const checked = requireResult(login.url, answer);
    checked.catch(report);
    await checked;
    return { stream: answer.stream, headers: answer.response_headers };
  };
  const finish = async (statement: Statement, signal?: AbortSignal, values?: Readable) => {
    await readAll((await exec({ ...paramsOf(statement, signal), ...(values && { values }) })).stream);
  };
  const read = ({ file, ...select }: Select, signal?: AbortSignal) =>
    exec(file === undefined ? paramsOf(select, signal) : withFile(select, file, signal));
  return {
    async select(select, signal) {
      const { stream, headers } = await read(select, signal);
      return requireWhole(headers, await readAll(stream));
    },
    async stream(select, signal) {
      const { stream, headers } = await read(select, signal);
      const hasEnded = select.settings?.wait_end_of_query !== 0;
      // The reader decides how long the response takes. The client sets the timeout again with its next request.
      if (!hasEnded) (stream as IncomingMessage).socket.setTimeout(0);
      const checked = passWhole(headers, hasEnded);
      // `checked` fails when either stream fails; the error waits in `errored`.
      checked.on('error', report);
      pipeline(stream, checked, () => {});
      return checked;
    },
    insert({ table, rows, ...insert }, signal) {
      const isNative = rows instanceof Readable;
      const query = `INSERT INTO ${table} FORMAT ${isNative ? 'Native' : 'JSONEachRow'}`;
      return finish({ query, ...insert }, signal, isNative ? rows : linesOf(rows));
    },
    insertFile: (statement, bytes, signal) => finish(statement, signal, Readable.from([bytes])),
    command: (statement, signal) => finish(statement, signal),
    ping: (signal) => finish({ query: PROBE }, signal),
    isCluster: false,
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
  };
}

function withFile(select: Statement, { name, format, structure, bytes }: AttachedFile, signal?: AbortSignal) {
  const boundary = randomUUID();
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${name}"\r\n\r\n`;
  return {
    ...paramsOf(select, signal),
    clickhouse_settings: {
      ...select.settings,
      [`${name}_format`]: format,
      [`${name}_structure`]: structure,
    } as ClickHouseSettings,
    http_headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    values: Readable.from([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

/** In one piece: each would be a chunk of the request. */
function linesOf(rows: readonly object[]): Readable {
  return Readable.from([Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))]);
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
