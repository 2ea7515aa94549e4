import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readConfig } from '../../../loader/config.ts';

const config = (env: Record<string, string>) => {
  const read = readConfig(['status'], env);
  assert.ok('config' in read, JSON.stringify(read));
  return read.config;
};

describe('the loader’s settings', () => {
  it('are one machine with everything embedded, when none are made', () => {
    assert.deepEqual(config({}), {
      command: { kind: 'status', detail: undefined },
      place: {
        embedded: { dataDir: 'data', port: 8123, adminPassword: undefined },
        settings: { url: 'http://127.0.0.1:8123', username: 'default', password: '', database: 'history' },
      },
      hosts: {},
      userAgent: 'historical-observations/0.1',
      logFormat: 'text',
    });
  });

  it('name a server instead', () => {
    const { place } = config({
      CLICKHOUSE_URL: 'https://clickhouse.example:8443/',
      CLICKHOUSE_USER: 'loader',
      CLICKHOUSE_PASSWORD: 'secret',
      CLICKHOUSE_DATABASE: 'weather',
    });
    assert.deepEqual(place, {
      embedded: undefined,
      settings: {
        url: 'https://clickhouse.example:8443',
        username: 'loader',
        password: 'secret',
        database: 'weather',
      },
    });
  });

  it('point a source elsewhere by scheme and host, and say who asks', () => {
    const { hosts, userAgent } = config({
      IEM_URL: 'http://127.0.0.1:9000',
      LOADER_CONTACT: 'ops@example.org\r\nX: 1',
    });
    assert.deepEqual(hosts, { iem: 'http://127.0.0.1:9000' });
    assert.equal(userAgent, 'historical-observations/0.1 (+ops@example.orgX: 1)');
  });

  it('are all judged at once, with the command line', () => {
    const read = readConfig(['stats'], {
      IEM_URL: 'http://127.0.0.1:9000/cgi-bin',
      CLICKHOUSE_URL: 'http://someone:hunter2@clickhouse:8123',
      CLICKHOUSE_DATABASE: 'a b',
      CLICKHOUSE_CLUSTER: 'main',
      EMBEDDED_CLICKHOUSE_PORT: '70000',
      LOG_FORMAT: 'xml',
    });
    assert.ok('mistakes' in read);
    for (const named of [
      'IEM_URL',
      'CLICKHOUSE_URL',
      'CLICKHOUSE_DATABASE',
      'CLICKHOUSE_CLUSTER',
      'EMBEDDED_CLICKHOUSE_PORT',
      'stats',
    ])
      assert.ok(
        read.mistakes.some((mistake) => mistake.includes(named)),
        named,
      );
    assert.doesNotMatch(read.mistakes.join(), /hunter2/);
  });
});
