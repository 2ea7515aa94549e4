import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { describe, it } from 'mocha';
import { readConfig, SettingsError } from '../../../api/config.ts';

describe('the settings', () => {
  it('need none to be set', () => {
    const { proxies, ...config } = readConfig({});
    assert.ok(!proxies.check('127.0.0.1'));
    assert.deepEqual(config, {
      host: '127.0.0.1',
      port: 8080,
      limits: { queryTimeoutSeconds: 30, queriesAtOnce: 4 },
      dataDir: resolve('data'),
      archive: { kind: 'embedded', port: 8123, database: 'history', adminPassword: undefined },
      keys: { kind: 'file', path: resolve('data/keys.jsonl') },
      workers: 1,
      demo: true,
    });
  });

  it('count as not set when they are set to nothing, as compose files do', () => {
    assert.equal(readConfig({ PORT: '', REDIS_URL: '', CLICKHOUSE_URL: '' }).port, 8080);
  });

  it('tell EMBEDDED_CLICKHOUSE_PASSWORD set to nothing from the same not set', () => {
    const { archive } = readConfig({ EMBEDDED_CLICKHOUSE_PASSWORD: '' });
    assert.ok(archive.kind === 'embedded' && archive.adminPassword === '');
    assert.throws(() => readConfig({ EMBEDDED_CLICKHOUSE_PASSWORD: 'a b' }), /EMBEDDED_CLICKHOUSE_PASSWORD/);
  });

  it('lead to real servers, and then to no demo', () => {
    const servers = {
      CLICKHOUSE_URL: 'http://db:8123',
      CLICKHOUSE_USER: 'api',
      CLICKHOUSE_PASSWORD: 's',
      CLICKHOUSE_DATABASE: 'h2',
    };
    const config = readConfig({ ...servers, REDIS_URL: 'rediss://u:p@redis:6380/1' });
    assert.deepEqual(config.archive, {
      kind: 'server',
      place: { url: 'http://db:8123', username: 'api', password: 's', database: 'h2' },
    });
    assert.deepEqual(config.keys, { kind: 'redis', url: 'rediss://u:p@redis:6380/1' });
    assert.equal(config.demo, false);
    assert.equal(readConfig({ CLICKHOUSE_URL: 'http://db:8123' }).demo, false);
    assert.equal(readConfig({ REDIS_URL: 'redis://redis' }).demo, false);
    assert.equal(readConfig({ DEMO: 'off' }).demo, false);
  });

  it('set as many workers to work as are wanted, but none that could never query', () => {
    assert.equal(readConfig({ WORKERS: '3' }).workers, 3);
    assert.equal(readConfig({ WORKERS: '3', QUERIES_AT_ONCE: '2' }).workers, 2);
    const server = { CLICKHOUSE_URL: 'http://db:8123', QUERIES_AT_ONCE: '256' };
    assert.equal(readConfig(server).workers, Math.min(availableParallelism(), 256));
    assert.equal(readConfig({ ...server, WORKERS: '1' }).workers, 1);
  });

  it('name every mistake at once, and no secret', () => {
    const mistakes = {
      HOST: 'a b',
      PORT: '80a',
      EMBEDDED_CLICKHOUSE_PORT: '65536',
      EMBEDDED_CLICKHOUSE_PASSWORD: 'hunter2 ',
      DEMO: 'yes',
      CLICKHOUSE_URL: 'http://someone:hunter2@clickhouse:8123',
      CLICKHOUSE_DATABASE: 'a-b; DROP',
      CLICKHOUSE_CLUSTER: 'main',
      REDIS_URL: 'http://:hunter2@redis',
      TRUSTED_PROXIES: '10.0.0.0/33',
      QUERY_TIMEOUT_SECONDS: '0',
      QUERIES_AT_ONCE: '1e2',
      WORKERS: '0',
    };
    assert.throws(
      () => readConfig(mistakes),
      (error) => {
        assert.ok(error instanceof SettingsError);
        const named = error.message.split('\n').map((line) => line.split(' ')[0]);
        assert.deepEqual(named.sort(), Object.keys(mistakes).sort());
        assert.doesNotMatch(error.message, /hunter2/);
        return true;
      },
    );
  });

  it('say of a cluster that it is not supported yet, and what to do', () => {
    assert.throws(() => readConfig({ CLICKHOUSE_CLUSTER: 'main' }), {
      message:
        'CLICKHOUSE_CLUSTER must be left unset: clusters are not supported yet, only one server or the embedded engine',
    });
  });

  it('take the whole environment as it comes', () => {
    assert.equal(readConfig(process.env).dataDir, resolve(process.env.DATA_DIR ?? 'data'));
  });
});
