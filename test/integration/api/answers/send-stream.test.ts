import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import Koa from 'koa';
import { sendStream } from '../../../../api/answers/send-stream.ts';
import { listenOnFreePort } from '../../../support/listen.ts';

const TIMEOUTS = { clientMs: 600, storageMs: 1200 };
const CHUNK = Buffer.alloc(65_536, 'x');

/** More than the kernel holds. */
function endlessBytes(): Readable {
  return new Readable({
    read() {
      this.push(CHUNK);
    },
  });
}

/** Not `once`, which rejects when an error comes first. */
function closed(stream: Readable): Promise<unknown> {
  return new Promise((resolve) => (stream.closed ? resolve('') : stream.once('close', resolve)));
}

describe('sending a stream', () => {
  const app = new Koa();
  const errors: string[] = [];
  app.on('error', (error: Error) => errors.push(error.message));
  let source: Readable;
  app.use((ctx) => {
    const coverage = { status: 'none', silentDays: 0, sources: [] } as const;
    return sendStream(ctx, { format: 'ndjson', coverage }, source, TIMEOUTS);
  });
  const server = createServer(app.callback());
  let port: number;
  before(async () => {
    port = await listenOnFreePort(server);
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  async function open(bytes: Readable, version = '1.1'): Promise<Socket> {
    source = bytes;
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`GET / HTTP/${version}\r\nHost: a\r\n\r\n`);
    await once(socket, 'readable');
    return socket;
  }

  it('closes the connection of a client that takes nothing, and stops the source', async () => {
    const startedAt = performance.now();
    const bytes = endlessBytes();
    await open(bytes);
    await closed(bytes);
    const waited = performance.now() - startedAt;
    // Less than the default, which is half a minute.
    assert.ok(waited >= TIMEOUTS.clientMs && waited < 20_000, `${waited} ms`);
  });

  it('keeps that of a client that takes little, also while the kernel still has bytes for it', async () => {
    const bytes = endlessBytes();
    const socket = await open(bytes);
    // Without the bytes that the client acknowledges, nothing changes for longer than the time limit: the kernel takes
    // new bytes when a third of some MB is free.
    for (const endsAt = performance.now() + 3 * TIMEOUTS.clientMs; performance.now() < endsAt; ) {
      socket.read(65_536);
      await sleep(50);
      assert.equal(bytes.destroyed, false);
    }
    socket.destroy();
    await closed(bytes);
  });

  it('keeps that of a client that could take nothing while this process stood still', async () => {
    const bytes = endlessBytes();
    const socket = await open(bytes);
    const timer = setInterval(() => socket.read(), 20).unref();
    for (let stops = 0; stops < 2; stops += 1) {
      await sleep(200);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * TIMEOUTS.clientMs);
      await sleep(100);
      assert.equal(bytes.destroyed, false);
    }
    clearInterval(timer);
    socket.destroy();
    await closed(bytes);
  });

  it('closes the connection when the storage sends nothing, and reports it', async () => {
    const bytes = new PassThrough();
    bytes.write('first bytes');
    const socket = await open(bytes);
    socket.resume();
    await closed(socket);
    assert.deepEqual(
      errors.filter((message) => !message.includes('ECONNRESET')),
      ['The storage sends nothing'],
    );
    errors.length = 0;
  });

  it('keeps it while the storage reads windows in which there is no record', async () => {
    const bytes = Object.assign(new PassThrough(), { windows: 0 });
    bytes.write('first bytes');
    const socket = await open(bytes);
    socket.resume();
    for (; bytes.windows < 6; bytes.windows += 1) await sleep(TIMEOUTS.storageMs / 3);
    assert.deepEqual([bytes.destroyed, errors], [false, []]);
    socket.destroy();
    await closed(bytes);
  });

  for (const version of ['1.0', '1.1'])
    it(`resets the connection of HTTP/${version} when the source breaks`, async () => {
      const bytes = new PassThrough();
      bytes.write('first bytes');
      const socket = await open(bytes, version);
      const broken = once(socket, 'error').then(([error]) => error.code);
      let text = '';
      socket.on('data', (chunk) => (text += chunk));
      while (!text.includes('first bytes')) await sleep(5);
      bytes.destroy(new Error('broken'));
      assert.equal(await broken.catch((error) => error.code), 'ECONNRESET');
      assert.ok(text.includes('first bytes') && !text.endsWith('0\r\n\r\n'), text);
      assert.deepEqual(errors.splice(0), ['broken']);
    });
});
