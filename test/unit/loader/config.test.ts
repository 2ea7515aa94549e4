import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { readConfig } from '../../../loader/config.ts';

const configOf = (environment: Record<string, string>) => {
  const result = readConfig(environment);
  assert.ok('config' in result, JSON.stringify(result));
  return result.config;
};

describe('settings of the loader', () => {
  it('are all optional', () => {
    assert.deepEqual(configOf({}), {
      archive: {
        kind: 'embedded',
        dataDir: resolve('data'),
        port: 8123,
        takesFreePort: true,
        database: 'history',
        adminPassword: undefined,
      },
      hosts: {},
      userAgent: 'historical-observations/0.1.0',
      host: '127.0.0.1',
      metricsPort: undefined,
    });
  });

  it('replace scheme and host of a source, and add a contact to the User-Agent', () => {
    const { hosts, userAgent } = configOf({
      IEM_URL: 'http://127.0.0.1:9000',
      LOADER_CONTACT: 'ops@example.org\r\nX: 1',
    });
    assert.deepEqual(hosts, { iem: 'http://127.0.0.1:9000' });
    assert.equal(userAgent, 'historical-observations/0.1.0 (+ops@example.orgX: 1)');
  });

  it('have every mistake reported together, without passwords', () => {
    const invalid = {
      IEM_URL: 'http://127.0.0.1:9000/cgi-bin',
      CLICKHOUSE_URL: 'http://someone:hunter2@clickhouse:8123',
      CLICKHOUSE_DATABASE: 'a b',
      CLICKHOUSE_CLUSTER: 'a b',
      EMBEDDED_CLICKHOUSE_PORT: '70000',
      LOG_FORMAT: 'xml',
    };
    const result = readConfig(invalid);
    assert.ok('errors' in result);
    for (const name of Object.keys(invalid))
      assert.ok(
        result.errors.some((error) => error.includes(name)),
        name,
      );
    assert.doesNotMatch(result.errors.join(), /hunter2/);
  });
});
