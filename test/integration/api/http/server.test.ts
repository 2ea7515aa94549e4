import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DrainingServer } from '../../../../api/http/server.ts';
import { parseTrustedProxies } from '../../../../api/rate-limit/client-address.ts';
import { startApiWithoutArchive, type TestApi } from '../../../support/api/api.ts';
import { until } from '../../../support/engine/engine.ts';
import { listenOnFreePort } from '../../../support/listen.ts';
import { newFolder } from '../../../support/test-run.ts';

const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';

describe('connections', () => {
  let api: TestApi;
  let sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets = [];
    await api.stop();
  });

  /** A client that keeps its side open when the service closes. */
  function open(): Socket {
    const options = { port: Number(new URL(api.url).port), host: '127.0.0.1', allowHalfOpen: true };
    const socket = connect(options).resume();
    socket.on('error', () => {});
    sockets.push(socket);
    return socket;
  }

  /** Whether the service responds on this connection before it closes it. */
  async function isServed(socket: Socket): Promise<boolean> {
    socket.write(REQUEST);
    const event = await Promise.race([
      once(socket, 'data').then(() => 'data'),
      once(socket, 'close').then(() => 'close'),
      once(socket, 'end').then(() => 'end'),
    ]);
    return event === 'data';
  }

  it('beyond the number of an address are closed at once, and served again when others have closed', async () => {
    api = await startApiWithoutArchive({ connectionsPerAddress: 3 });
    const first = [open(), open(), open()];
    for (const socket of first) assert.ok(await isServed(socket));
    assert.equal(await isServed(open()), false);
    first[0]?.destroy();
    await until(() => isServed(open()));
    assert.equal(await isServed(open()), false);
  });

  it('are established by the thousand while the process is busy', async () => {
    api = await startApiWithoutArchive({ connectionsPerAddress: 2000 });
    const port = Number(new URL(api.url).port);
    const client = `
      const { connect } = require('node:net');
      for (let n = 0; n < 1500; n += 1) connect(${port}, '127.0.0.1').on('error', () => {});
      const end = performance.now() + 900;
      const look = () => {
        const connections = require('node:fs').readFileSync('/proc/net/tcp', 'latin1').split('\\n');
        const remote = ':${port.toString(16).toUpperCase().padStart(4, '0')} 01 ';
        const { length } = connections.filter((each) => each.slice(20, 40).includes(remote));
        if (length < 1500 && performance.now() < end) return setTimeout(look, 10);
        process.stdout.write(String(length));
        process.exit();
      };
      setImmediate(look);`;
    // Nothing is accepted meanwhile. The kernel establishes a connection soon, or tries again after a second.
    assert.equal(execFileSync(process.execPath, ['--eval', client], { encoding: 'utf8' }), '1500');
  });

  it('of a trusted proxy have no limit', async () => {
    const trustedProxies = parseTrustedProxies('127.0.0.1') ?? assert.fail();
    api = await startApiWithoutArchive({ connectionsPerAddress: 2, trustedProxies });
    for (let n = 0; n < 5; n += 1) assert.ok(await isServed(open()));
  });

  it('end two seconds after the time limit of an incomplete request, and stay open after a complete one', async () => {
    api = await startApiWithoutArchive({ connectionsPerAddress: 5, requestSeconds: 1 });
    const [silent, headers, body, used] = [open(), open(), open(), open()];
    headers.write('GET /healthz HTTP/1.1\r\nHost: a\r\n');
    body.write('POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n');
    const ends = Promise.all([silent, headers, body].map((socket) => once(socket, 'end')));
    const started = performance.now();
    assert.ok(await isServed(used));
    await ends;
    // The clients keep their sides open; their connections must not count any longer.
    await sleep(Math.max(0, 3000 - (performance.now() - started)));
    assert.ok(await isServed(used));
    for (let n = 0; n < 4; n += 1) await until(() => isServed(open()));
    assert.equal(await isServed(open()), false);
  });
});

const CONNECTIONS = 300;

/**
 * Opens all connections of one client, and then one of another; when all requests are sent, it writes a file. Ends with the
 * last answer.
 */
const clients = (port: number, sentFile: string) => `
  const { request } = require('node:http');
  const ask = (authorization) => new Promise((sent) => {
    const options = { port: ${port}, host: '127.0.0.1', agent: false, headers: { authorization } };
    request(options, (answer) => answer.resume()).on('finish', sent).end();
  });
  Promise.all(Array.from({ length: ${CONNECTIONS} }, () => ask('many')))
    .then(() => ask('one'))
    .then(() => require('node:fs').writeFileSync(${JSON.stringify(sentFile)}, ''));`;

describe('requests', () => {
  it('of a client wait for some of another that has opened hundreds of connections, not for all (D40)', async () => {
    const folder = newFolder();
    const sentFile = join(folder, 'sent');
    const handled: string[] = [];
    const server = new DrainingServer((request, response) => {
      handled.push(request.headers.authorization ?? '');
      // The first request takes until all others wait.
      while (!existsSync(sentFile));
      response.end();
    }, {});
    await promisify(execFile)(process.execPath, ['-e', clients(await listenOnFreePort(server), sentFile)]);
    await server.drain(5);
    assert.equal(handled.length, CONNECTIONS + 1);
    assert.ok(
      handled.indexOf('one') < CONNECTIONS / 2,
      `${handled.indexOf('one')} requests were handled before`,
    );
  });
});
