import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
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
    api = await startApiWithReports([report({ at: '2024-01-30T00:00:00Z' })], {
      createArchive: async () => {
        const archive = await archiveOnOwnEngine();
        const { select, stream } = archive.client;
        const count = <T extends (...statement: never[]) => unknown>(send: T) =>
          ((...statement) => {
            statements += 1;
            return send(...statement);
          }) as T;
        return { ...archive, client: { ...archive.client, select: count(select), stream: count(stream) } };
      },
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
    return requestOf(`${OBSERVATIONS}?${query}`, key);
  }

  for (const pages of [1, 4])
    it(`cause no statement of the engine by ${pages} requests each`, async () => {
      assert.equal(await statementsOf(pages), 0);
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

  it('have their request ended', async () => {
    let begun = 0;
    const select: Archive['select'] = async (statement, signal) => {
      begun += 1;
      await once(signal ?? new EventTarget(), 'abort');
      return archive.client.select(statement, signal);
    };
    const api = await startApi({ ...archive.client, select });
    const socket = connect({ port: Number(new URL(api.url).port), host: '127.0.0.1', allowHalfOpen: true });
    socket.write(requestOf(`${OBSERVATIONS}?${QUERY}`, await api.createKey()));
    await until(() => begun > 0);
    socket.destroy();
    await until(() => api.logLines.some((line) => line.includes('"status":499')));
    await api.stop();
  });
});

const requestOf = (target: string, key: string) =>
  `GET ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;
