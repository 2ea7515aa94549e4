import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, it } from 'mocha';
import { selectRows } from '../../../../clickhouse/statements/select.ts';
import { OBSERVATIONS, QUERY, startApiWithReports } from '../../../support/api/api.ts';
import { archiveOnOwnEngine, report } from '../../../support/archive/archive.ts';

const CLIENTS = 20;
/** Where the machine is busy, some connections are reset after their first statement has begun. */
const LATE_RESETS = 5;

describe('clients that disconnect at once', () => {
  let api: Awaited<ReturnType<typeof startApiWithReports>>;
  before(async () => {
    api = await startApiWithReports([report({ at: '2024-01-30T00:00:00Z' })], archiveOnOwnEngine);
    // Fills the cache of coverage, so that each page is one statement.
    assert.equal((await api.get(`${OBSERVATIONS}?${QUERY}`)).status, 200);
  });
  after(() => api.stop());

  /** How many statements the engine has started, this one included. */
  async function countStatements(): Promise<number> {
    const query = "SELECT value FROM system.events WHERE event = 'Query'";
    const [row] = await selectRows<{ value: string }>(api.client, { query });
    return Number(row?.value);
  }

  /** Statements of clients that each send requests on a connection and reset it. */
  async function statementsOf(pages: number): Promise<number> {
    const key = await api.createKey();
    const before = await countStatements();
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
        // A connection that is reset before the service has accepted it has no address, and its requests are not read.
        socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
        await once(socket, 'data');
        const requests = Array.from({ length: pages }, () => requestOfOtherPage(key));
        socket.write(requests.join(''), () => socket.resetAndDestroy());
        await once(socket, 'close');
      }),
    );
    await sleep(500);
    return (await countStatements()) - before - 1;
  }

  let from = Date.UTC(2020, 0);
  /** No page that an earlier request has left in memory. */
  function requestOfOtherPage(key: string): string {
    from += 60_000;
    const query = `stations=XAAA&from=${new Date(from).toISOString()}&to=2024-02-01T00:00:00Z`;
    return `GET ${OBSERVATIONS}?${query} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  }

  it('cause no statement of the engine', async () => {
    const statements = await statementsOf(1);
    assert.ok(statements <= LATE_RESETS, `${statements} statements for ${CLIENTS} requests`);
  });

  it('cause no statement by the requests that they pipelined', async () => {
    const statements = await statementsOf(4);
    assert.ok(statements <= LATE_RESETS, `${statements} statements for ${4 * CLIENTS} requests`);
  });

  it('have each request logged with status 499, and none as an error', async () => {
    const countLines = () => api.logLines.filter((line) => line.includes('"status":499')).length;
    const expected = 5 * CLIENTS - 2 * LATE_RESETS;
    // On a busy machine the last of them come late.
    for (const end = performance.now() + 10_000; countLines() < expected && performance.now() < end; )
      await sleep(50);
    assert.ok(countLines() >= expected && countLines() <= 5 * CLIENTS, `${countLines()} lines`);
    assert.deepEqual(
      api.logLines.filter((line) => line.includes('"level":"error"')),
      [],
    );
  });
});
