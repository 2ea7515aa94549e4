import assert from 'node:assert/strict';
import { STREAM_LIMITS } from '../../../../api/contract/parameters.ts';
import type { JoinedEngine } from '../../../../clickhouse/embedded/join.ts';
import { authorizationOf } from '../../../../clickhouse/embedded/users.ts';
import { migrate } from '../../../../clickhouse/schema.ts';
import { joinEngineWithLogins, OPEN_ENGINE } from '../../../support/engine/engine.ts';
import { requestsOf } from '../../../support/engine/engine-requests.ts';
import { newFolder } from '../../../support/test-run.ts';

describe('users of the embedded engine', () => {
  const { database } = OPEN_ENGINE;
  const dataDir = newFolder();
  let engine: JoinedEngine;
  before(async () => {
    engine = await joinWith();
    await migrate({ url: engine.url, database, ...engine.users.admin });
  });
  after(() => engine.leave());

  const joinWith = (adminPassword?: string) => joinEngineWithLogins(dataDir, adminPassword);
  const { send, as, assertRefused } = requestsOf(() => engine);

  it('a request without a login gets /ping and nothing else', async () => {
    assert.equal((await send('/ping', {})).text, 'Ok.\n');
    const query = 'query=SELECT%201';
    for (const path of [
      '/',
      `/?${query}`,
      `/?user=default&${query}`,
      `/ping?${query}`,
      `//?${query}`,
      '/play',
      '/metrics',
      '/instance',
    ]) {
      const { status, text } = await send(path, {});
      assert.ok(status === 404 || text === 'Ok.\n', `${path}: ${status} ${text}`);
    }
    assert.equal((await send('/', {}, 'SELECT 1')).status, 404);
  });

  it('a request of a web page gets nothing, by whatever method', async () => {
    const statement = encodeURIComponent(
      "INSERT INTO FUNCTION file('/tmp/a', 'LineAsString', 'a String') VALUES ('a')",
    );
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])
      for (const path of ['/?query=SELECT%201', `/?query=${statement}`, '/play', '/binary', '/js/uplot.js']) {
        const headers = { 'sec-fetch-site': 'cross-site', referer: 'http://example.com/', accept: 'image/*' };
        const { status } = await fetch(engine.url + path, { method, headers });
        // 501 for methods that the engine does not know.
        assert.ok(status === 404 || status === 501, `${method} ${path}: ${status}`);
      }
  });

  it('a wrong password, and every other way to name a user, is refused', async () => {
    const { api } = engine.users;
    const inUrl = `/?user=${api.username}&password=${api.password}`;
    assert.equal((await as({ ...api, password: `${api.password}x` }, 'SELECT 1')).status, 404);
    assert.equal((await as({ ...api, password: api.password.slice(0, -1) }, 'SELECT 1')).status, 404);
    assert.equal((await as({ username: 'default', password: '' }, 'SELECT 1')).status, 404);
    assert.equal((await send(inUrl, {}, 'SELECT 1')).status, 404);
    const inHeaders = { 'X-ClickHouse-User': api.username, 'X-ClickHouse-Key': api.password };
    assert.equal((await send('/', inHeaders, 'SELECT 1')).status, 404);
    assert.equal((await send('/', { 'X-ClickHouse-User': 'default' }, 'SELECT 1')).status, 404);
    const both = { authorization: authorizationOf(api), 'X-ClickHouse-User': 'default' };
    assert.equal((await send('/', both, 'SELECT 1')).code, '516');
  });

  it('a login that asks for the user `default` gets no table and no file by it, and cannot stop the engine', async () => {
    const asDefault = (statement: string) => as(engine.users.admin, statement, '/?user=default');
    for (const statement of [
      `SELECT count() FROM ${database}.observations`,
      "SELECT * FROM file('/etc/hostname', 'LineAsString')",
      'SELECT * FROM system.processes',
    ])
      assert.equal((await asDefault(statement)).code, '497', statement);
    for (const statement of [
      'CREATE TABLE default.t (a Int8) ENGINE = Memory',
      'SYSTEM STOP LISTEN HTTP',
      "KILL QUERY WHERE user = 'default'",
    ])
      assert.equal((await asDefault(statement)).code, '201', statement);
    assert.equal((await send('/ping', {})).text, 'Ok.\n');
  });

  it('history_api reads the database and nothing else', async () => {
    const { api } = engine.users;
    assert.equal((await as(api, `SELECT count() FROM ${database}.observations`)).text, '0\n');
    await assertRefused(api, 497, `INSERT INTO ${database}.stations (source, station) VALUES ('a', 'b')`);
    await assertRefused(api, 497, `CREATE TABLE ${database}.t (a Int8) ENGINE = MergeTree ORDER BY a`);
    await assertRefused(api, 497, 'SELECT count() FROM system.detached_parts');
    const others = `SELECT countIf(database != '${database}') FROM system.parts`;
    assert.equal((await as(api, others)).text, '0\n');
  });

  it('history_api may choose how its answer is printed, but not its limits', async () => {
    const { api } = engine.users;
    assert.equal((await as(api, 'SELECT 1', '/?output_format_json_quote_decimals=1')).text, '1\n');
    for (const limit of ['max_result_rows', 'max_memory_usage', 'max_execution_time'])
      assert.equal((await as(api, 'SELECT 1', `/?${limit}=0`)).code, '452', limit);
  });

  it('the limits of history_api fit the largest answers', async () => {
    const rows = await as(engine.users.api, 'SELECT number FROM numbers(150000)', '/?wait_end_of_query=1');
    assert.equal(rows.text.length > 0 && rows.text.split('\n').length - 1, 150_000);
    // A stream takes as long as its client reads, and the engine waits for it.
    const week = await as(
      engine.users.api,
      "SELECT getSetting('http_send_timeout')",
      '/?max_execution_time=604800',
    );
    assert.equal(week.text, '3600\n');
    assert.equal((await as(engine.users.api, 'SELECT 1', '/?max_execution_time=604801')).code, '452');
    const records = STREAM_LIMITS.professional.schema.wholeNumber[1];
    const count = (rows: number) => as(engine.users.api, `SELECT number FROM numbers(${rows}) FORMAT Null`);
    assert.equal((await count(records * 1.1)).status, 200);
    assert.equal((await count(records * 2 + 1)).code, '396');
    const { text } = await as(
      engine.users.api,
      "SELECT value FROM system.settings WHERE name = 'max_concurrent_queries_for_user'",
    );
    assert.ok(Number(text) >= 4 * 256, text);
  });

  it('history_loader fills and deletes, but does not change tables', async () => {
    const { loader } = engine.users;
    const insert = `INSERT INTO ${database}.stations (station, source) VALUES ('XAAA', 'demo')`;
    assert.equal((await as(loader, insert)).status, 200);
    const forget = `ALTER TABLE ${database}.stations DELETE WHERE source = 'demo' SETTINGS mutations_sync = 2`;
    assert.equal((await as(loader, forget)).status, 200);
    assert.equal((await as(loader, 'SELECT count() > 0 FROM system.parts')).text, '1\n');
    await assertRefused(loader, 497, `ALTER TABLE ${database}.stations ADD COLUMN a Int8`);
    await assertRefused(loader, 497, `DROP TABLE ${database}.stations`);
  });

  it('passwords stay the same, until EMBEDDED_CLICKHOUSE_PASSWORD sets that of history_admin', async () => {
    const { users } = engine;
    await engine.leave();
    engine = await joinWith();
    assert.deepEqual(engine.users, users);
    await engine.leave();
    const password = 'a<b&c>"d\'%:#';
    engine = await joinWith(password);
    assert.deepEqual(engine.users, { ...users, admin: { ...users.admin, password } });
    assert.equal((await as(engine.users.admin, 'SELECT currentUser()')).text, 'history_admin\n');
    assert.equal((await as(users.admin, 'SELECT 1')).status, 404);
  });

  it('EMBEDDED_CLICKHOUSE_PASSWORD set to nothing admits `default` with all rights', async () => {
    await engine.leave();
    engine = await joinWith('');
    assert.equal((await send('/', {}, 'SELECT currentUser()')).text, 'default\n');
    assert.equal((await send('/', {}, 'CREATE DATABASE other')).status, 200);
    assert.equal((await as(engine.users.api, 'SELECT currentUser()')).text, 'history_api\n');
    assert.equal((await as({ ...engine.users.api, password: 'x' }, 'SELECT 1')).code, '516');
  });
});
