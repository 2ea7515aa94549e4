import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, it } from 'mocha';
import { readConfig } from '../../../loader/config.ts';

const readStatusConfig = (environment: Record<string, string>) => {
  const result = readConfig(['status'], environment);
  assert.ok('config' in result, JSON.stringify(result));
  return result.config;
};

describe('settings of the loader', () => {
  it('are all optional', () => {
    const { command, ...config } = readStatusConfig({});
    assert.equal(command.kind, 'status');
    assert.deepEqual(config, {
      archive: {
        kind: 'embedded',
        dataDir: resolve('data'),
        port: 8123,
        database: 'history',
        adminPassword: undefined,
      },
      hosts: {},
      userAgent: 'historical-observations/0.1',
      logFormat: 'text',
      host: '127.0.0.1',
      metricsPort: undefined,
    });
  });

  it('select a ClickHouse server', () => {
    const { archive } = readStatusConfig({
      CLICKHOUSE_URL: 'https://clickhouse.example:8443/',
      CLICKHOUSE_USER: 'loader',
      CLICKHOUSE_PASSWORD: 'secret',
      CLICKHOUSE_DATABASE: 'weather',
    });
    assert.deepEqual(archive, {
      kind: 'server',
      settings: {
        url: 'https://clickhouse.example:8443',
        username: 'loader',
        password: 'secret',
        database: 'weather',
      },
    });
  });

  it('replace scheme and host of a source, and add a contact to the User-Agent', () => {
    const { hosts, userAgent } = readStatusConfig({
      IEM_URL: 'http://127.0.0.1:9000',
      LOADER_CONTACT: 'ops@example.org\r\nX: 1',
    });
    assert.deepEqual(hosts, { iem: 'http://127.0.0.1:9000' });
    assert.equal(userAgent, 'historical-observations/0.1 (+ops@example.orgX: 1)');
  });

  it('have all errors reported together with those of the command line, without passwords', () => {
    const invalid = {
      IEM_URL: 'http://127.0.0.1:9000/cgi-bin',
      CLICKHOUSE_URL: 'http://someone:hunter2@clickhouse:8123',
      CLICKHOUSE_DATABASE: 'a b',
      CLICKHOUSE_CLUSTER: 'a b',
      EMBEDDED_CLICKHOUSE_PORT: '70000',
      LOG_FORMAT: 'xml',
    };
    const result = readConfig(['stats'], invalid);
    assert.ok('errors' in result);
    for (const name of [...Object.keys(invalid), 'stats'])
      assert.ok(
        result.errors.some((error) => error.includes(name)),
        name,
      );
    assert.doesNotMatch(result.errors.join(), /hunter2/);
  });
});
