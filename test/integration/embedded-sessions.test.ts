import assert from 'node:assert/strict';
import { once, setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { after, before, describe, it } from 'mocha';
import { createTestDatabase, startTestEngine, type TestEngine } from '../support/engine.ts';

describe('sessions and cancelled queries of the embedded engine', () => {
  let engine: TestEngine;
  let client: ClickHouseClient;
  let database: string;
  before(async () => {
    engine = await startTestEngine();
    database = await createTestDatabase(engine.url);
    client = createClient({ url: engine.url, database, log: { level: ClickHouseLogLevel.OFF } });
  });
  after(async () => {
    await client.close();
    await engine.stop();
  });

  const rows = async (query: string) => (await client.query({ query, format: 'JSONEachRow' })).json();
  /** Watches from a session, which waits for no place: all places may be taken. */
  async function untilRunning(query: string, count: number): Promise<void> {
    for (;;) {
      const watched = await client.query({
        query: 'SELECT count() AS n FROM system.processes WHERE query LIKE {query:String}',
        query_params: { query: `${query}%` },
        session_id: 'watch',
        format: 'JSONEachRow',
      });
      if ((await watched.json<{ n: number }>())[0]?.n === count) return;
      await sleep(20);
    }
  }

  describe('sessions', () => {
    it('keep temporary tables and their own settings, not those of one request', async () => {
      const session_id = 'kept';
      await client.command({ query: 'CREATE TEMPORARY TABLE mine (a Int8)', session_id });
      await client.command({ query: 'SET max_threads = 3', session_id });
      await client.insert({ table: 'mine', values: [{ a: 5 }], format: 'JSONEachRow', session_id });
      const query = "SELECT a, getSetting('max_threads') AS n, getSetting('max_block_size') AS b FROM mine";
      const clickhouse_settings = { max_block_size: '17' };
      const first = await client.query({ query, session_id, clickhouse_settings, format: 'JSONEachRow' });
      assert.deepEqual(await first.json(), [{ a: 5, n: 3, b: 17 }]);
      const [second] = await (await client.query({ query, session_id, format: 'JSONEachRow' })).json<{
        b: string;
      }>();
      assert.notEqual(second?.b, 17);
      await assert.rejects(client.query({ query }), { code: '60' });
    });

    it('run one query at a time', async () => {
      const slow = client.query({ query: 'SELECT sleep(1)', session_id: 'busy' });
      await untilRunning('SELECT sleep(1)', 1);
      await assert.rejects(client.query({ query: 'SELECT 1', session_id: 'busy' }), { code: '373' });
      await (await slow).text();
    });
  });

  describe('a query nobody waits for any more', () => {
    const endless = 'SELECT count() FROM system.numbers WHERE sipHash64(number) = 1';

    it('is ended when its caller goes away', async () => {
      const leaving = new AbortController();
      const ended = assert.rejects(client.query({ query: endless, abort_signal: leaving.signal }));
      await untilRunning(endless, 1);
      leaving.abort();
      await ended;
      await untilRunning(endless, 0);
    });

    it('is ended by its query id', async () => {
      const ended = assert.rejects(client.query({ query: endless, query_id: 'to-be-ended' }), {
        code: '394',
      });
      await untilRunning(endless, 1);
      await client.command({ query: "KILL QUERY WHERE query_id = 'to-be-ended' SYNC" });
      await ended;
    });

    it('holds up no other, also when as many as may run at once are given up', async () => {
      const leaving = new AbortController();
      setMaxListeners(0, leaving.signal);
      const wide = createClient({
        url: engine.url,
        max_open_connections: 40,
        log: { level: ClickHouseLogLevel.OFF },
      });
      const given = Promise.allSettled(
        Array.from({ length: 40 }, () => wide.query({ query: endless, abort_signal: leaving.signal })),
      );
      await untilRunning(endless, 16);
      leaving.abort();
      for (const { status } of await given) assert.equal(status, 'rejected');
      assert.deepEqual(await rows('SELECT 1 AS one'), [{ one: 1 }]);
      await wide.close();
    });

    it('frees its place when its caller stops reading', async () => {
      for (let i = 0; i < 20; i++) {
        const result = await client.query({ query: 'SELECT * FROM system.numbers', format: 'JSONEachRow' });
        const stream = result.stream();
        await once(stream, 'data');
        stream.destroy();
      }
      assert.deepEqual(await rows('SELECT 1 AS one'), [{ one: 1 }]);
    });

    it('cannot share its id with another', async () => {
      const first = client.query({ query: 'SELECT sleep(1)', query_id: 'twice' });
      await untilRunning('SELECT sleep(1)', 1);
      await assert.rejects(client.query({ query: 'SELECT 1', query_id: 'twice' }), { code: '216' });
      await (await first).text();
    });
  });
});
