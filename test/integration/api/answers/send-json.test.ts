import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import Koa from 'koa';
import { sendBody } from '../../../../api/answers/send-json.ts';
import type { ObservationsPage } from '../../../../api/client/client.d.ts';
import { ENCODINGS } from '../../../../api/http/compression.ts';
import { abortOnDisconnect } from '../../../../api/http/http-request.ts';
import { QueuedRequest, RequestQueue } from '../../../../api/ops/request-queue.ts';
import { OBSERVATIONS, QUERY, startApiWithReports, useApi } from '../../../support/api/api.ts';
import { report } from '../../../support/archive/archive.ts';
import { until } from '../../../support/engine/engine.ts';
import { listenOnFreePort } from '../../../support/listen.ts';

/** More than the kernel takes for a connection that is not read: up to 36 MB on some machines. */
const BODY = Buffer.alloc(40 * 1024 * 1024, 'x');
/** A client that takes nothing for this time is disconnected. */
const CLIENT_TIMEOUT_MS = 1000;
/** Sent as a stream, without a copy of the large part. */
const PARTS = [Buffer.from('{'), BODY.subarray(2), Buffer.from('}')];

describe('bodies that clients do not read', () => {
  const app = new Koa();
  app.on('error', () => {});
  const queue = new RequestQueue({ queriesAtOnce: 4, streamsAtOnce: 2, memoryBytes: 4 * BODY.length });
  let small: readonly Buffer[] = [];
  app.use(async (ctx) => {
    const client = new QueuedRequest(queue, {
      key: ctx.get('client'),
      length: 1,
      disconnected: abortOnDisconnect(ctx.res),
    });
    ctx.res.once('close', () => client.end());
    await sendBody(ctx, ctx.path === '/small' ? small : PARTS, client, CLIENT_TIMEOUT_MS);
  });
  const server = createServer(app.callback());
  let port: number;
  before(async () => {
    port = await listenOnFreePort(server);
  });
  after(() => server.close());

  /** Requests a body and waits for its first bytes, but reads no further. */
  async function requestWithoutReading(client: string): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`GET / HTTP/1.1\r\nHost: a\r\nClient: ${client}\r\nConnection: close\r\n\r\n`);
    await once(socket, 'readable');
    return socket;
  }

  /** The bytes of the response that still arrive. */
  async function readRest(socket: Socket): Promise<number> {
    let bytes = 0;
    socket.on('data', (chunk) => (bytes += chunk.length)).resume();
    if (!socket.closed) await once(socket, 'close');
    return bytes;
  }

  const isWhole = async (socket: Socket) => (await readRest(socket)) > BODY.length;

  it('are closed after a time in which their client takes nothing, and give their memory back', async () => {
    const sockets = await Promise.all([1, 2, 3].map(() => requestWithoutReading('greedy')));
    assert.equal(queue.bytes, 3 * BODY.length);
    await until(() => queue.bytes === 0);
    assert.deepEqual(await Promise.all(sockets.map(isWhole)), [false, false, false]);
  });

  it('leave memory for a response of another client', async () => {
    await Promise.all([1, 2, 3].map(() => requestWithoutReading('greedy')));
    assert.equal(await isWhole(await requestWithoutReading('other')), true);
    await until(() => queue.bytes === 0);
  });

  it('have their length in the header and every part in order', async () => {
    for (const size of [10, 1_000_000]) {
      const parts = ['a', 'b', 'c'].map((letter) => Buffer.alloc(size, letter));
      small = parts;
      const response = await fetch(`http://127.0.0.1:${port}/small`, { headers: { client: 'reader' } });
      assert.equal(response.headers.get('content-length'), String(3 * size));
      assert.ok(Buffer.from(await response.arrayBuffer()).equals(Buffer.concat(parts)));
    }
  });

  it('do not count once they are read', async () => {
    for (let n = 0; n < 6; n += 1) assert.equal(await isWhole(await requestWithoutReading('reader')), true);
  });
});

describe('a large page', () => {
  it('is sent without a warning of Node', async () => {
    const raw = `METAR XAAA 010000Z ${'X'.repeat(1000)}`;
    const reports = Array.from({ length: 1000 }, (_, minute) =>
      report({ at: new Date(Date.UTC(2024, 0, 1, 0, minute)).toISOString(), raw: `${raw} ${minute}` }),
    );
    const warnings: Error[] = [];
    const remember = (warning: Error) => void warnings.push(warning);
    const api = await startApiWithReports(reports);
    process.on('warning', remember);
    try {
      const headers = { 'accept-encoding': 'identity' };
      const response = await api.get(`${OBSERVATIONS}?${QUERY}`, { headers });
      assert.ok((await response.arrayBuffer()).byteLength > 1_000_000);
      assert.deepEqual(warnings, []);
    } finally {
      process.off('warning', remember);
      await api.stop();
    }
  });
});

describe('compressed pages', () => {
  const at = (hour: number) => new Date(Date.UTC(2024, 0, 1, hour)).toISOString();
  const reports = Array.from({ length: 200 }, (_, hour) => report({ at: at(hour) }));
  const api = useApi(() => startApiWithReports(reports));

  for (const encoding of ENCODINGS)
    it(`are the same body in ${encoding}, from the archive and from memory, for other clients too`, async () => {
      const key = await api.createKey();
      const read = async (accept: string) => {
        const response = await api.get(`${OBSERVATIONS}?${QUERY}`, {
          key,
          headers: { 'accept-encoding': accept },
        });
        assert.equal(response.headers.get('content-encoding') ?? 'identity', accept);
        const body = (await response.json()) as ObservationsPage;
        // The end of the body is that of each response.
        assert.equal(response.headers.get('x-ratelimit-remaining'), `${body.meta.rateLimit.remaining}`);
        return { etag: response.headers.get('etag'), body };
      };
      const [plain, first, second] = [await read('identity'), await read(encoding), await read(encoding)];
      assert.equal(first.body.data.length, 200);
      assert.deepEqual(first.body.data, plain.body.data);
      assert.deepEqual(second.body.data, plain.body.data);
      assert.deepEqual(first.body.meta.coverage, plain.body.meta.coverage);
      assert.equal(first.etag, plain.etag);
    });
});
