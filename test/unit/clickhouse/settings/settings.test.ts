import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import {
  ARCHIVE_SETTINGS,
  compileSettings,
  toArchiveLocation,
} from '../../../../clickhouse/settings/settings.ts';

const readSettings = compileSettings(ARCHIVE_SETTINGS);
const locate = (environment: Record<string, string>) => {
  const result = readSettings(environment);
  return result.kind === 'valid'
    ? toArchiveLocation(result.value)
    : assert.fail(JSON.stringify(result.errors));
};

describe('settings of the archive', () => {
  it('select the embedded engine by default, and its folder, port and database', () => {
    const set = {
      DATA_DIR: '/srv/history',
      EMBEDDED_CLICKHOUSE_PORT: '9000',
      CLICKHOUSE_DATABASE: 'weather',
    };
    assert.deepEqual(locate(set), {
      kind: 'embedded',
      dataDir: '/srv/history',
      port: 9000,
      takesFreePort: false,
      database: 'weather',
      adminPassword: undefined,
    });
    assert.deepEqual(locate({ DATA_DIR: '' }), {
      kind: 'embedded',
      dataDir: resolve('data'),
      port: 8123,
      takesFreePort: true,
      database: 'history',
      adminPassword: undefined,
    });
  });

  it('distinguish an empty password of the embedded engine from none', () => {
    for (const adminPassword of ['', '!~secret']) {
      const location = locate({ EMBEDDED_CLICKHOUSE_PASSWORD: adminPassword });
      assert.ok(location.kind === 'embedded');
      assert.equal(location.adminPassword, adminPassword);
    }
    for (const invalid of ['two words', 'é'])
      assert.equal(readSettings({ EMBEDDED_CLICKHOUSE_PASSWORD: invalid }).kind, 'invalid');
  });

  it('accept a URL of scheme and host, with or without a final slash', () => {
    for (const url of ['http://db:8123', 'http://db:8123/', 'https://[::1]:8443', 'HTTP://DB:8123']) {
      const location = locate({ CLICKHOUSE_URL: url });
      assert.ok(location.kind === 'server');
      assert.equal(location.settings.url, new URL(url).origin);
    }
  });

  it('refuse a URL with anything else, and do not show it', () => {
    for (const url of [
      'db:8123',
      'ftp://db',
      'http://user:hunter2@db:8123',
      'http://user@db:8123',
      'http://db:8123/path',
      'http://db:8123/?password=hunter2',
      'http://db:8123/#a',
      'http://db:8123,',
      'http://db:8123,http://user:hunter2@db2:8123',
    ])
      assert.deepEqual(
        readSettings({ CLICKHOUSE_URL: url }),
        {
          kind: 'invalid',
          errors: [
            {
              name: 'CLICKHOUSE_URL',
              detail: 'must be only scheme and host, like http://127.0.0.1:8123, or several with commas',
            },
          ],
        },
        url,
      );
  });

  it('accept several servers, and the name of their cluster', () => {
    const location = locate({
      CLICKHOUSE_URL: 'http://a:8123/, http://b:8123',
      CLICKHOUSE_CLUSTER: 'history',
    });
    assert.ok(location.kind === 'server');
    assert.equal(location.settings.url, 'http://a:8123,http://b:8123');
    assert.equal(location.settings.cluster, 'history');
    const single = locate({ CLICKHOUSE_URL: 'http://a:8123', CLICKHOUSE_CLUSTER: '' });
    assert.ok(single.kind === 'server');
    assert.equal('cluster' in single.settings, false);
  });

  it('refuse a cluster without a server, and a name that could be something else', () => {
    for (const environment of [
      { CLICKHOUSE_CLUSTER: 'history' },
      { CLICKHOUSE_CLUSTER: "h'; DROP", CLICKHOUSE_URL: 'http://a:8123' },
    ])
      assert.deepEqual(readSettings(environment), {
        kind: 'invalid',
        errors: [
          {
            name: 'CLICKHOUSE_CLUSTER',
            detail:
              'must be the name of a cluster of the servers at CLICKHOUSE_URL: letters, digits and _, not beginning with a digit',
          },
        ],
      });
  });

  it('refuse a port of 0, which api and loader could not share', () => {
    assert.equal(readSettings({ EMBEDDED_CLICKHOUSE_PORT: '0' }).kind, 'invalid');
  });
});
