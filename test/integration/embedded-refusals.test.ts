import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { after, before, describe, it } from 'mocha';
import { createTestDatabase, startTestEngine, type TestEngine } from '../support/engine.ts';

describe('refusals of the embedded engine', () => {
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

  it("have ClickHouse's status, code and text", async () => {
    const response = await post('/', 'SELECT * FROM nowhere');
    assert.equal(response.status, 404);
    assert.equal(response.headers.get('x-clickhouse-exception-code'), '60');
    assert.match(await response.text(), /^Code: 60\. DB::Exception: .*nowhere.*\(UNKNOWN_TABLE\) \(version /);
  });

  const refused = {
    'an unknown setting': ['/?no_such_setting=1', 'SELECT 1', 115],
    'an unknown database': ['/?database=nowhere', 'SELECT 1', 81],
    'an unknown format': ['/', 'SELECT 1 FORMAT Nonsense', 73],
    'a missing parameter': ['/', 'SELECT {x:String}', 456],
    'two statements at once': ['/', 'SELECT 1; SELECT 2', 62],
    'an expression without SELECT': ['/', '1 + 1', 62],
    'nothing at all': ['/', '', 62],
    'a wrong password': ['/?user=default&password=x', 'SELECT 1', 516],
    'another user': ['/?user=someone', 'SELECT 1', 516],
    'writing to a file of the machine': ['/', "SELECT 1 INTO OUTFILE '/tmp/never'", 358],
    'reading a file of the machine into a table': [
      '/',
      "INSERT INTO t FROM INFILE '/etc/hostname' FORMAT CSV",
      358,
    ],
    'a session that must exist': ['/?session_id=none&session_check=1', 'SELECT 1', 372],
  } as const;
  for (const [what, [path, query, code]] of Object.entries(refused)) {
    it(`name ${what}`, async () => {
      const response = await post(path, query);
      assert.equal(response.headers.get('x-clickhouse-exception-code'), String(code));
      assert.match(await response.text(), new RegExp(`^Code: ${code}\\. DB::Exception: `));
    });
  }

  it('keep a GET from writing', async () => {
    const url = `${engine.url}/?query=${encodeURIComponent('CREATE TABLE t (a Int8) ENGINE = Memory')}`;
    assert.equal((await fetch(url)).headers.get('x-clickhouse-exception-code'), '164');
    assert.equal(await (await fetch(`${engine.url}/?query=SELECT%201`)).text(), '1\n');
  });

  it('answer the oddest requests, and leave the engine running', async () => {
    const targets = [
      '//',
      '/?',
      '/?%',
      '/?query=%00',
      '/?query_id=%0A&query=SELECT%201',
      '*',
      '/%',
      '/?database=%00',
    ];
    for (const path of targets) {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const [response] = await once(request(engine.url, { path, method }).end(), 'response');
        response.resume();
        assert.ok(response.statusCode, `${method} ${path}`);
      }
    }
    assert.equal(await (await post('/', "SELECT 'a\0b' FORMAT RawBLOB")).text(), 'a\0b');
  });

  it('keep web pages out, under whatever name they come', async () => {
    const page = await post('/', 'SELECT 1', { Origin: 'https://example.org' });
    assert.equal(page.status, 403);
    const outgoing = request(engine.url, { method: 'POST', headers: { Host: 'example.org' } }).end(
      'SELECT 1',
    );
    const [renamed] = await once(outgoing, 'response');
    assert.equal(renamed.statusCode, 403);
    renamed.resume();
  });

  it('that come half way through an answer cannot be taken for its end', async () => {
    const query = 'SELECT number, throwIf(number = 900000) FROM numbers(1000000)';
    const response = await post('/', `${query} FORMAT JSONEachRow`);
    assert.equal(response.status, 200);
    await assert.rejects(response.text());
    const result = await client.query({ query, format: 'JSONEachRow' });
    await assert.rejects(
      async () => {
        for await (const _ of result.stream());
      },
      { code: '395' },
    );
  });

  it('leave nothing behind that a later answer of the session could show', async () => {
    const query = 'SELECT number FROM numbers(20) WHERE throwIf(number = 10) = 0 SETTINGS max_block_size = 1';
    const failed = await post('/?session_id=residue', `${query} FORMAT TabSeparatedWithNames`);
    assert.equal(failed.status, 500);
    assert.equal(await (await post('/?session_id=residue', "SELECT 'clean' FORMAT TSV")).text(), 'clean\n');
  });
});
