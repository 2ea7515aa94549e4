import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { readConfig, SettingsError } from '../../../api/config.ts';

describe('settings of the api', () => {
  it('are all optional', () => {
    const { trustedProxies, ...config } = readConfig({});
    assert.ok(!trustedProxies.check('127.0.0.1'));
    assert.deepEqual(config, {
      host: '127.0.0.1',
      port: 8080,
      connectionsPerAddress: 1024,
      requestSeconds: 8,
      metricsPort: undefined,
      queryLimits: { queryTimeoutSeconds: 30, queriesAtOnce: 4, streamsAtOnce: 2 },
      pageCacheBytes: 64 * 1024 * 1024,
      responseMemoryBytes: 120 * 1024 * 1024,
      limits: { dataDir: resolve('data'), memoryBytes: (300 + 64 + 128) * 1024 * 1024 },
      dataDir: resolve('data'),
      archive: {
        kind: 'embedded',
        dataDir: resolve('data'),
        port: 8123,
        takesFreePort: true,
        database: 'history',
        adminPassword: undefined,
      },
      keys: { kind: 'file', path: resolve('data/keys.jsonl'), usageFolder: resolve('data/usage') },
      guestPlan: undefined,
      archiveFiles: undefined,
      contact: undefined,
      demo: true,
    });
  });

  it('have their default when they are set to nothing, as compose files pass unset variables', () => {
    const config = readConfig({ PORT: '', REDIS_URL: '', CLICKHOUSE_URL: '' });
    assert.equal(config.port, 8080);
    assert.equal(config.keys.kind, 'file');
    assert.equal(config.archive.kind, 'embedded');
  });

  it('select real servers, and then no demo records', () => {
    const config = readConfig({
      CLICKHOUSE_URL: 'http://db:8123',
      CLICKHOUSE_USER: 'api',
      CLICKHOUSE_PASSWORD: 's',
      CLICKHOUSE_DATABASE: 'h2',
      REDIS_URL: 'rediss://u:p@redis:6380/1',
    });
    assert.deepEqual(config.archive, {
      kind: 'server',
      settings: { url: 'http://db:8123', username: 'api', password: 's', database: 'h2' },
    });
    assert.deepEqual(config.keys, { kind: 'redis', url: 'rediss://u:p@redis:6380/1' });
    // Nothing of it is in DATA_DIR.
    assert.equal(config.limits.dataDir, undefined);
    assert.equal(readConfig({ CLICKHOUSE_URL: 'http://db:8123' }).limits.dataDir, resolve('data'));
    assert.equal(config.demo, false);
    assert.equal(readConfig({ CLICKHOUSE_URL: 'http://db:8123' }).demo, false);
    assert.equal(readConfig({ REDIS_URL: 'redis://redis' }).demo, false);
    assert.equal(readConfig({ DEMO: 'off' }).demo, false);
  });

  it('have all mistakes reported together, without passwords', () => {
    const mistakes = {
      HOST: 'a b',
      PORT: '80a',
      METRICS_PORT: '-1',
      EMBEDDED_CLICKHOUSE_PORT: '65536',
      EMBEDDED_CLICKHOUSE_PASSWORD: 'hunter2 ',
      DEMO: 'yes',
      CLICKHOUSE_URL: 'http://someone:hunter2@clickhouse:8123',
      CLICKHOUSE_DATABASE: 'a-b; DROP',
      CLICKHOUSE_CLUSTER: 'a b',
      REDIS_URL: 'http://:hunter2@redis',
      TRUSTED_PROXIES: '10.0.0.0/33',
      CONNECTIONS_PER_ADDRESS: '0',
      QUERY_TIMEOUT_SECONDS: '0',
      QUERIES_AT_ONCE: '1e2',
      PAGE_CACHE_MB: '-1',
      RESPONSE_MEMORY_MB: '31',
    };
    assert.throws(
      () => readConfig(mistakes),
      (error) => {
        assert.ok(error instanceof SettingsError);
        const names = error.message.split('\n').map((line) => line.split(' ')[0]);
        assert.deepEqual(names.sort(), Object.keys(mistakes).sort());
        assert.doesNotMatch(error.message, /hunter2/);
        return true;
      },
    );
  });

  it('have messages that say what to write', () => {
    assert.throws(() => readConfig({ PORT: 'x' }), {
      message: 'PORT must be a port from 1 to 65535, or 0 for any free port',
    });
    assert.throws(() => readConfig({ CLICKHOUSE_CLUSTER: 'main' }), {
      message:
        'CLICKHOUSE_CLUSTER must be the name of a cluster of the servers at CLICKHOUSE_URL: letters, digits and _, not beginning with a digit',
    });
  });

  it('refuse a port that the embedded engine has', () => {
    for (const [environment, name] of [
      [{ PORT: '8123' }, 'PORT'],
      [{ METRICS_PORT: '8123' }, 'METRICS_PORT'],
      [{ EMBEDDED_CLICKHOUSE_PORT: '8080' }, 'PORT'],
    ] as const)
      assert.throws(() => readConfig(environment), {
        name: 'SettingsError',
        message: `${name} and EMBEDDED_CLICKHOUSE_PORT are both ${Object.values(environment)}: set one of them to another port`,
      });
    assert.equal(readConfig({ PORT: '8123', CLICKHOUSE_URL: 'http://db:8123' }).port, 8123);
  });

  it('that exclude each other are named together', () => {
    assert.throws(() => readConfig({ STREAMS_AT_ONCE: '29', PORT: '8123' }), {
      message: /^RESPONSE_MEMORY_MB must be .*\nPORT and EMBEDDED_CLICKHOUSE_PORT are both 8123: .*$/,
    });
  });

  it('leave memory for pages in addition to that of all streams', () => {
    assert.equal(readConfig({ STREAMS_AT_ONCE: '28' }).responseMemoryBytes, 16 * 1024 * 1024);
    assert.throws(() => readConfig({ STREAMS_AT_ONCE: '29' }), {
      message: 'RESPONSE_MEMORY_MB must be at least 132 with STREAMS_AT_ONCE=29: 4 for each stream, and 16',
    });
  });

  it('ignore other variables of the environment, but not a misspelled name', () => {
    assert.equal(readConfig(process.env).dataDir, resolve(process.env.DATA_DIR ?? 'data'));
    const message =
      'DATADIR is no setting: write DATA_DIR\nQUERIES_AT_ONE is no setting: write QUERIES_AT_ONCE';
    assert.throws(() => readConfig({ DATADIR: '/srv', QUERIES_AT_ONE: '2', host: 'me' }), { message });
    assert.equal(readConfig({ DATADIR: '/srv', DATA_DIR: '/data', CONTRACT: 'me' }).dataDir, '/data');
  });
});
