import assert from 'node:assert/strict';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { after, before, beforeEach, describe, it } from 'mocha';
import { createTestDatabase, startTestEngine, type TestEngine } from '../support/engine.ts';

describe('inserts into the embedded engine', () => {
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

  const post = (path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
    fetch(`${engine.url}${path}`, { method: 'POST', body, headers });
  const rows = async (query: string) => (await client.query({ query, format: 'JSONEachRow' })).json();

  beforeEach(async () => {
    await client.command({ query: 'DROP TABLE IF EXISTS t' });
    await client.command({ query: 'CREATE TABLE t (a UInt32, s String) ENGINE = MergeTree ORDER BY a' });
  });
  const count = async () => (await rows('SELECT count() AS n FROM t'))[0];
  const insertJson = (values: Readable | readonly object[]) =>
    client.insert({ table: 't', values, format: 'JSONEachRow' });

  it('report what they wrote', async () => {
    const { summary } = await insertJson([
      { a: 1, s: 'x' },
      { a: 2, s: 'y' },
    ]);
    assert.equal(summary?.written_rows, '2');
    const { summary: copied } = await client.command({ query: 'INSERT INTO t SELECT a + 10, s FROM t' });
    assert.equal(copied?.written_rows, '2');
    assert.deepEqual(await count(), { n: 4 });
  });

  it('keep every byte', async () => {
    const s = 'quotes \'"` backslash \\ tab \t newline \n nul \0 ünïcode 飛行場';
    await insertJson([{ a: 1, s }]);
    assert.deepEqual(await rows('SELECT * FROM t'), [{ a: 1, s }]);
    const binary = Buffer.from([2, 0, 0, 0, 3, 0xff, 0x00, 0x0a]);
    await post(`/?database=${database}&query=INSERT%20INTO%20t%20FORMAT%20RowBinary`, binary);
    assert.deepEqual(await rows('SELECT hex(s) AS s FROM t WHERE a = 2'), [{ s: 'FF000A' }]);
  });

  it('take nothing in their data for their end, or for another statement', async () => {
    const s = 'x\n\nDROP TABLE t\n\n';
    await post(`/?database=${database}&query=INSERT%20INTO%20t%20FORMAT%20CSV`, `1,"${s}"\n2,"${s}"\n`);
    const binary = Buffer.from([3, 0, 0, 0, s.length, ...Buffer.from(s)]);
    await post(`/?database=${database}&query=INSERT%20INTO%20t%20FORMAT%20RowBinary`, binary);
    await post(
      `/?database=${database}`,
      Buffer.from('INSERT INTO t FORMAT JSONEachRow\n\n{"a":4}\n\n{"a":5}\n'),
    );
    assert.deepEqual(await rows('SELECT a, s FROM t ORDER BY a'), [
      { a: 1, s },
      { a: 2, s },
      { a: 3, s },
      { a: 4, s: '' },
      { a: 5, s: '' },
    ]);
  });

  it('may be empty, where the table is there', async () => {
    await insertJson(Readable.from([], { objectMode: true }));
    assert.deepEqual(await count(), { n: 0 });
    const nowhere = client.insert({ table: 'nowhere', values: Readable.from([]), format: 'JSONEachRow' });
    await assert.rejects(nowhere, { code: '60' });
  });

  it('may be larger than what is held in memory, as a stream, compressed', async () => {
    const zipped = createClient({ url: engine.url, compression: { request: true } });
    async function* lines() {
      for (let a = 0; a < 60_000; a++) yield { a, s: `METAR XAAA ${a} AUTO 00000KT 9999 CLR 10/05 Q1013` };
    }
    await zipped.insert({ table: `${database}.t`, values: Readable.from(lines()), format: 'JSONEachRow' });
    await zipped.close();
    assert.deepEqual(await rows('SELECT count() AS n, uniqExact(a, s) AS u FROM t'), [
      { n: 60000, u: 60000 },
    ]);
  });

  it('may be a long VALUES list, with settings', async () => {
    const values = Array.from({ length: 60_000 }, (_, a) => `(${a}, 'it''s number ${a}')`).join(', ');
    await client.command({ query: `INSERT INTO t (a, s) SETTINGS async_insert = 0 VALUES ${values}` });
    assert.deepEqual(await count(), { n: 60000 });
  });

  it('that break off insert nothing', async () => {
    const line = `${JSON.stringify({ a: 1, s: 'x'.repeat(1000) })}\n`;
    for (const lines of [10, 3_000]) {
      const outgoing = request(
        `${engine.url}/?database=${database}&query=INSERT%20INTO%20t%20FORMAT%20JSONEachRow`,
        {
          method: 'POST',
        },
      );
      outgoing.on('error', () => {});
      await new Promise<void>((resolve) => outgoing.write(line.repeat(lines), () => resolve()));
      outgoing.destroy();
    }
    // An insert of our own, answered, comes after both were given up.
    await insertJson([{ a: 2, s: 'y' }]);
    await sleep(100);
    assert.deepEqual(await count(), { n: 1 });
  });

  it('that hold a bad row insert nothing, and say which', async () => {
    const bad = client.exec({
      query: 'INSERT INTO t FORMAT JSONEachRow {"a":1,"s":"x"}\n{"a":"nonsense"}',
    });
    await assert.rejects(bad, /row 2/);
    assert.deepEqual(await count(), { n: 0 });
  });
});
