import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { OBSERVATIONS, QUERY, startApi, startApiWithReports } from '../../../support/api/api.ts';
import { archiveOnOwnEngine, report, useArchive } from '../../../support/archive/archive.ts';
import { until } from '../../../support/engine/engine.ts';

const CLIENTS = 20;

/**
 * Waits until the kernel has delivered the reset of a client's connection to the service: then neither side has it any longer.
 * Client and service share an event loop, which is blocked meanwhile: where the machine is busy, the kernel delivers the
 * requests and only after a while the reset, and a service that reads in between begins a statement.
 */
function waitForReset(clientPort: number, servicePort: number): void {
  const [client, service] = [clientPort, servicePort].map(
    (port) => `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`,
  );
  const isOpen = (table: string) =>
    table.includes(`${client} ${service}`) || table.includes(`${service} ${client}`);
  while (isOpen(readFileSync('/proc/net/tcp', 'latin1')));
}

describe('clients that disconnect at once', () => {
  let api: Awaited<ReturnType<typeof startApiWithReports>>;
  /** What the service has sent to the engine. */
  let statements = 0;
  before(async () => {
    api = await startApiWithReports([report({ at: '2024-01-30T00:00:00Z' })], async () => {
      const archive = await archiveOnOwnEngine();
      const { select, stream } = archive.client;
      const count = <T extends (...statement: never[]) => unknown>(send: T) =>
        ((...statement) => {
          statements += 1;
          return send(...statement);
        }) as T;
      return { ...archive, client: { ...archive.client, select: count(select), stream: count(stream) } };
    });
    // Fills the cache of coverage, so that each page is one statement.
    assert.equal((await api.get(`${OBSERVATIONS}?${QUERY}`)).status, 200);
  });
  after(() => api.stop());

  /** Statements of clients that each send requests on a connection and reset it. */
  async function statementsOf(pages: number): Promise<number> {
    const key = await api.createKey();
    statements = 0;
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
        // A connection that is reset before the service has accepted it has no address, and its requests are not read.
        socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
        await once(socket, 'data');
        const requests = Array.from({ length: pages }, () => requestOfOtherPage(key));
        socket.write(requests.join(''), () => {
          const { localPort = 0, remotePort = 0 } = socket;
          socket.resetAndDestroy();
          waitForReset(localPort, remotePort);
        });
        await once(socket, 'close');
      }),
    );
    await sleep(500);
    return statements;
  }

  let from = Date.UTC(2020, 0);
  /** No page that an earlier request has left in memory. */
  function requestOfOtherPage(key: string): string {
    from += 60_000;
    const query = `stations=XAAA&from=${new Date(from).toISOString()}&to=2024-02-01T00:00:00Z`;
    return `GET ${OBSERVATIONS}?${query} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  }

  it('cause no statement of the engine', async () => {
    assert.equal(await statementsOf(1), 0);
  });

  it('cause no statement by the requests that they pipelined', async () => {
    assert.equal(await statementsOf(4), 0);
  });

  it('have each request logged with status 499, and none as an error', async () => {
    const countLines = () => api.logLines.filter((line) => line.includes('"status":499')).length;
    // On a busy machine the last of them come late.
    await until(async () => countLines() >= 5 * CLIENTS);
    assert.equal(countLines(), 5 * CLIENTS);
    assert.deepEqual(
      api.logLines.filter((line) => line.includes('"level":"error"')),
      [],
    );
  });
});

describe('clients that close a connection without a reset', () => {
  const archive = useArchive();
  let api: Awaited<ReturnType<typeof startApi>>;
  let begun = 0;
  /** Statements begin to read when this resolves. */
  let free: Promise<void>;
  before(async () => {
    const select: Archive['select'] = async (statement, signal) => {
      begun += 1;
      await Promise.race([free, once(signal ?? new EventTarget(), 'abort')]);
      return archive.client.select(statement, signal);
    };
    api = await startApi({ ...archive.client, select });
  });
  after(() => api?.stop());

  async function send(version: string, type: string): Promise<Socket> {
    const key = await api.createKey();
    const socket = connect({ port: Number(new URL(api.url).port), host: '127.0.0.1', allowHalfOpen: true });
    socket.write(
      `GET ${OBSERVATIONS}?${QUERY}&type=${type} HTTP/${version}\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
    return socket;
  }

  it('have their request ended', async () => {
    free = new Promise(() => {});
    begun = 0;
    const socket = await send('1.1', 'speci');
    await until(() => begun > 0);
    socket.destroy();
    await until(() => api.logLines.some((line) => line.includes('"status":499')));
  });
});
