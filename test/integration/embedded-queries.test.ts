import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { after, before, describe, it } from 'mocha';
import { createTestDatabase, startTestEngine, type TestEngine } from '../support/engine.ts';

describe('queries to the embedded engine', () => {
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

  it('answers a ping', async () => {
    assert.deepEqual(await client.ping(), { success: true });
    assert.equal(await (await fetch(`${engine.url}/replicas_status`)).text(), 'Ok.\n');
  });

  it('binds typed parameters, whatever stands in them', async () => {
    const query_params = { s: "it's \\ a\ttab\nand ünïcode", a: ["'", '\\'], n: null };
    const query = 'SELECT {s:String} AS s, {a:Array(String)} AS a, {n:Nullable(Int8)} AS n';
    const result = await client.query({ query, query_params, format: 'JSONEachRow' });
    assert.deepEqual(await result.json(), [query_params]);
  });

  it('takes 1,000 stations in the URL three times over, and in a multipart body', async () => {
    const stations = Array.from({ length: 1000 }, (_, i) => `K${String(i).padStart(3, '0')}`);
    const query =
      'SELECT length({a:Array(String)}) + length({b:Array(String)}) + length({c:Array(String)}) AS n';
    const query_params = { a: stations, b: stations, c: stations };
    for (const use_multipart_params of [false, true]) {
      const result = await client.query({
        query,
        query_params,
        use_multipart_params,
        format: 'JSONEachRow',
      });
      assert.deepEqual(await result.json(), [{ n: 3000 }]);
    }
  });

  it('applies settings to their own request only', async () => {
    const query = "SELECT getSetting('max_threads') AS n";
    const result = await client.query({
      query,
      clickhouse_settings: { max_threads: 7 },
      format: 'JSONEachRow',
    });
    assert.deepEqual(await result.json(), [{ n: 7 }]);
    assert.notDeepEqual(await rows(query), [{ n: 7 }]);
  });

  it('streams a long result block by block, whole and in order', async () => {
    const result = await client.query({
      query: 'SELECT number FROM numbers(1000000)',
      format: 'JSONCompactEachRow',
    });
    let next = 0;
    for await (const chunk of result.stream<[number]>()) {
      for (const row of chunk) assert.equal(row.text, `[${next++}]`);
    }
    assert.equal(next, 1_000_000);
  });

  it('prints header and footer of a format once, however long the result', async () => {
    const result = await client.query({ query: 'SELECT number FROM numbers(200000)', format: 'JSON' });
    const { data } = await result.json<{ number: string }>();
    assert.equal(data.length, 200_000);
    const csv = await client.query({ query: 'SELECT number FROM numbers(200000)', format: 'CSVWithNames' });
    assert.equal((await csv.text()).match(/number/g)?.length, 1);
  });

  it('puts totals and brackets where they belong, however long the result', async () => {
    const totals = await post('/', 'SELECT number, count() FROM numbers(100000) GROUP BY number WITH TOTALS');
    assert.ok((await totals.text()).endsWith('\n\n0\t100000\n'));
    const path = '/?output_format_json_array_of_rows=1';
    const array = await post(path, 'SELECT number FROM numbers(100000) FORMAT JSONEachRow');
    assert.equal(((await array.json()) as unknown[]).length, 100_000);
  });

  it('keeps to the limits of a request, with the status a server gives', async () => {
    const endless = 'SELECT number FROM system.numbers WHERE sipHash64(number) = 1';
    assert.equal((await post('/?max_execution_time=0.2', endless)).status, 408);
    const many = await post('/?max_result_rows=10&result_overflow_mode=throw', 'SELECT * FROM numbers(100)');
    assert.equal(many.headers.get('x-clickhouse-exception-code'), '396');
  });

  it('compresses as asked, and only then', async () => {
    const query = 'SELECT number FROM numbers(1000)';
    const plain = await post('/', query);
    const outgoing = request(`${engine.url}/?enable_http_compression=1`, {
      method: 'POST',
      headers: { 'Accept-Encoding': 'gzip' },
    }).end(query);
    const [zipped] = await once(outgoing, 'response');
    assert.equal(plain.headers.get('content-encoding'), null);
    assert.equal(zipped.headers['content-encoding'], 'gzip');
    assert.equal(gunzipSync(await buffer(zipped)).toString(), await plain.text());
  });

  it('names format, content type, zone and query in its headers', async () => {
    const { headers } = await post('/?query_id=mine', 'SELECT 1 FORMAT CSV');
    assert.equal(headers.get('x-clickhouse-format'), 'CSV');
    assert.equal(headers.get('content-type'), 'text/csv; charset=UTF-8; header=absent');
    assert.equal(headers.get('x-clickhouse-query-id'), 'mine');
    assert.ok(headers.get('x-clickhouse-timezone'));
  });

  it('takes the database from the URL or a header', async () => {
    const database = await createTestDatabase(engine.url);
    const ask = async (path: string, headers = {}) =>
      (await post(path, 'SELECT currentDatabase()', headers)).text();
    assert.equal(await ask('/'), 'default\n');
    assert.equal(await ask(`/?database=${database}`), `${database}\n`);
    assert.equal(await ask('/', { 'X-ClickHouse-Database': database }), `${database}\n`);
  });

  it('runs many at once', async () => {
    const numbers = Array.from({ length: 200 }, (_, i) => i);
    const wide = createClient({ url: engine.url, max_open_connections: 50 });
    const answers = await Promise.all(
      numbers.map(async (n) => {
        const result = await wide.query({
          query: 'SELECT {n:UInt32} AS n',
          query_params: { n },
          format: 'JSONEachRow',
        });
        return (await result.json<{ n: number }>())[0]?.n;
      }),
    );
    await wide.close();
    assert.deepEqual(answers, numbers);
  });
});
