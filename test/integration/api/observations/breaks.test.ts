import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { rm, stat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { openArchive } from '../../../../clickhouse/client.ts';
import type { JoinedEngine } from '../../../../clickhouse/embedded/join.ts';
import { migrate } from '../../../../clickhouse/schema.ts';
import { selectRows } from '../../../../clickhouse/statements/select.ts';
import { OBSERVATIONS, startApi, type TestApi } from '../../../support/api/api.ts';
import { engineOf, joinOpenEngine, OPEN_ENGINE, recordOf, until } from '../../../support/engine/engine.ts';
import { newFolder } from '../../../support/test-run.ts';

const EXTENSIONS = ['.ndjson', '.csv', '.parquet', '.arrow'];
const RANGE = 'stations=XAAA&from=2024-01-01T00:00:00Z&to=2025-01-01T00:00:00Z';
const ALL = 1_000_000;
const QUERY = `${RANGE}&limit=${ALL}`;

const SHORT = { queryTimeoutSeconds: 3, queriesAtOnce: 1, streamsAtOnce: 1 };

/** curl's exit code for a connection that is reset. */
const RESET = 56;

/** In the processes of the engine: nothing else reads so many rows. */
const IS_STREAM = 'read_rows > 1000';

/** A response whose first bytes have arrived. */
type OpenStream = { readonly socket: Socket; readonly head: Buffer };

/** More than the connections between engine, service and client hold, also when it is compressed. */
const ROWS = 150_000;
const LARGE_ARCHIVE = `
  INSERT INTO observations (observedAt, station, type, fingerprint, version, text)
  SELECT toDateTime('2024-01-01 00:00:00', 'UTC') + 60 * number, 'XAAA', 'METAR', number, 1, randomPrintableASCII(400)
  FROM numbers(${ROWS})`;

describe('a stream that breaks', () => {
  const dataDir = newFolder();
  let engine: JoinedEngine;
  let client: Archive;
  let api: TestApi;
  before(async () => {
    engine = await joinOpenEngine(dataDir);
    const settings = { url: engine.url, username: 'default', password: '', database: OPEN_ENGINE.database };
    await migrate(settings);
    client = openArchive(settings);
    await client.command({ query: LARGE_ARCHIVE });
    await client.command({ query: 'INSERT INTO station_observations SELECT * FROM observations' });
    api = await startApi(client);
  });
  after(async () => {
    await api.stop();
    await client.close();
    await engine.leave();
  });

  /** Requests a stream, waits for its first bytes, and reads no further. */
  async function openStream(extension: string, from = api, limit = ALL): Promise<OpenStream> {
    const { hostname, port } = new URL(from.url);
    const socket = connect(Number(port), hostname);
    // The error comes when it breaks.
    socket.on('error', () => {});
    const key = await from.createKey();
    socket.write(
      `GET ${OBSERVATIONS}${extension}?${RANGE}&limit=${limit} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
    let head = Buffer.alloc(0);
    while (head.length < 2000) {
      await once(socket, 'readable');
      head = Buffer.concat([head, socket.read() ?? Buffer.alloc(0)]);
    }
    assert.match(head.toString('latin1'), /^HTTP\/1\.1 200 /);
    return { socket, head };
  }

  /** What has arrived and still arrives. */
  async function readRest({ socket, head }: OpenStream): Promise<Buffer> {
    const chunks = [head];
    socket.on('data', (chunk) => chunks.push(chunk));
    const closed = new Promise((resolve) => (socket.closed ? resolve('') : socket.once('close', resolve)));
    socket.resume();
    await closed;
    return Buffer.concat(chunks);
  }

  /** What was being sent has ended, but not as if it were whole. */
  async function assertBroken(stream: OpenStream, extension: string, from = api): Promise<void> {
    const bytes = await readRest(stream);
    const isWhole = bytes.subarray(-7).toString('latin1').endsWith('\r\n0\r\n\r\n');
    assert.ok(!isWhole, 'the last chunk was sent');
    assert.ok(!bytes.includes('DB::Exception') && !bytes.includes('__exception__'), 'the exception was sent');
    const parts = ['"status":499,"code":"storage_unavailable"', `"format":"${extension.slice(1)}"`];
    await until(() => from.logLines.some((line) => parts.every((part) => line.includes(part))));
  }

  for (const extension of EXTENSIONS)
    it(`is whole while nothing breaks it: ${extension}`, async () => {
      const bytes = await endAfterResponse(await openStream(extension, api, 5000));
      assert.ok(bytes.subarray(-7).toString('latin1').endsWith('\r\n0\r\n\r\n'));
    });

  // The others are broken in the same way below, by the end of the engine.
  it('by an error of the engine in the middle does not end as if it were whole', async () => {
    const stream = await openStream('.ndjson');
    const { ended } = await killQuery();
    await assertBroken(stream, '.ndjson');
    await ended;
  });

  it('by a client that disconnects stops the query', async () => {
    const { socket } = await openStream('.csv');
    await until(async () => (await countStreams()) === 1);
    socket.destroy();
    await until(async () => (await countStreams()) === 0);
    const line = api.logLines.filter((each) => each.includes('"format"')).at(-1) ?? '';
    assert.match(line, /"status":499,"code":"none"/);
  });

  it('gives its place to the next one, and HEAD and JSON need none', async () => {
    const key = await api.createKey();
    const path = `${OBSERVATIONS}.csv?${QUERY}`;
    const first = await api.get(path, { key });
    assert.equal(first.status, 200);
    assert.equal((await api.get(path, { key, method: 'HEAD' })).status, 200);
    assert.equal((await api.get(`${OBSERVATIONS}?${QUERY}`.replace('1000000', '10'), { key })).status, 200);
    const other = await api.get(path, { key: await api.createKey() });
    assert.equal(other.status, 200);
    const third = api.get(path);
    await sleep(100);
    await first.body?.cancel();
    const next = await third;
    assert.equal(next.status, 200);
    for (const { body } of [next, other]) await body?.cancel();
  });

  it('because the process stops has the time of a query to end, and is broken then', async () => {
    const stopping = await startApi(client, { queryLimits: SHORT });
    const response = await stopping.get(`${OBSERVATIONS}.csv?${QUERY}`);
    assert.equal(response.status, 200);
    const stopped = stopping.stop();
    await assert.rejects(
      stopped.then(() => response.arrayBuffer()),
      /terminated/,
    );
  });

  describe('over HTTP/1.0, where the end of the connection is the end of the body', () => {
    it('is reset by an error of the engine, and leaves no Parquet file that DuckDB reads', async () => {
      const { ended } = await downloadByCurl(api, '.parquet', '20M');
      await (await killQuery()).ended;
      assert.equal(await ended, RESET);
      const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
      await assert.rejects(
        duckdb.runAndReadAll(`SELECT count(*) FROM read_parquet('${join(dataDir, 'download')}')`),
        /No magic bytes found at end of file/,
      );
      duckdb.closeSync();
    });

    it('is reset where the process stops', async () => {
      const stopping = await startApi(client, { queryLimits: SHORT });
      const { ended } = await downloadByCurl(stopping);
      await stopping.stop();
      assert.equal(await ended, RESET);
    });

    it('is reset where the process ends at once', async () => {
      const { ended } = await downloadByCurl(api);
      api.abort();
      assert.equal(await ended, RESET);
    });
  });

  /**
   * Waits for the first bytes. (Node cannot be the client: where bytes wait to be read it takes a reset for an end.)
   *
   * @returns the exit code, once it has ended
   */
  async function downloadByCurl(from: TestApi, extension = '.csv', rate = '4M') {
    const file = join(dataDir, 'download');
    await rm(file, { force: true });
    const options = ['-sS', '--http1.0', '--limit-rate', rate, '-o', file];
    const header = `Authorization: Bearer ${await from.createKey()}`;
    const url = `${from.url}${OBSERVATIONS}${extension}?${QUERY}`;
    const ended = new Promise<number>((resolve) =>
      execFile('curl', [...options, '-H', header, url], (error) => resolve(Number(error?.code ?? 0))),
    );
    await until(async () => (await stat(file).catch(() => ({ size: 0 }))).size > 1000);
    return { ended };
  }

  it(`because the engine is killed does not end as if it were whole: ${EXTENSIONS.join(', ')}`, async () => {
    const queryLimits = { queryTimeoutSeconds: 30, queriesAtOnce: 8, streamsAtOnce: EXTENSIONS.length };
    const from = await startApi(client, { queryLimits });
    const streams: OpenStream[] = [];
    for (const extension of EXTENSIONS) streams.push(await openStream(extension, from));
    const { pid, instance } = await recordOf(dataDir);
    process.kill(pid, 'SIGKILL');
    for (const [at, stream] of streams.entries()) await assertBroken(stream, EXTENSIONS[at] ?? '', from);
    await until(async () => ![instance, undefined].includes((await engineOf(dataDir))?.instance));
    await until(async () => (await from.get(`${OBSERVATIONS}.csv?${QUERY}`, { method: 'HEAD' })).ok);
    await from.stop();
  });

  /** A second request with `Connection: close` behind the first one ends the connection. */
  async function endAfterResponse(stream: OpenStream) {
    stream.socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const bytes = await readRest(stream);
    return bytes.subarray(0, bytes.lastIndexOf('HTTP/1.1 200'));
  }

  /**
   * Kills the statement of a stream, and returns once it is marked to end. The engine ends and answers only when it no longer
   * waits in a write, which is when the client reads.
   */
  async function killQuery(): Promise<{ readonly ended: Promise<void> }> {
    // One that broke before may still end.
    await until(async () => (await countStreams()) === 1);
    // Not by SELECT: an answer of KILL states one row more than it has.
    const ended = client.command({ query: `KILL QUERY WHERE ${IS_STREAM}` });
    // Where it is not awaited at once.
    ended.catch(() => {});
    await until(async () => (await countStreams('AND NOT is_cancelled')) === 0);
    return { ended };
  }

  async function countStreams(more = ''): Promise<number> {
    const query = `SELECT toUInt32(count()) AS streams FROM system.processes WHERE ${IS_STREAM} ${more}`;
    const [row] = await selectRows<{ streams: number }>(client, { query });
    return row?.streams ?? 0;
  }
});
