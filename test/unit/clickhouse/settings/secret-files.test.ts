import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig, SettingsError } from '../../../../api/config.ts';

describe('secrets in files', () => {
  const dir = mkdtempSync(join(tmpdir(), 'secrets-'));
  after(() => rmSync(dir, { recursive: true }));
  const fileWith = (text: string) => {
    const path = join(dir, `${Math.random()}`);
    writeFileSync(path, text);
    return path;
  };
  const server = { CLICKHOUSE_URL: 'http://db:8123', REDIS_URL: 'redis://redis:6379' };

  for (const [title, text] of [
    ['as it is', 'two words'],
    ['without the line break at its end', 'two words\n'],
    ['without the line break of Windows at its end', 'two words\r\n'],
  ] as const)
    it(`${title}: the file of a password`, () => {
      const { archive } = readConfig({ ...server, CLICKHOUSE_PASSWORD_FILE: fileWith(text) });
      assert.ok(archive.kind === 'server');
      assert.equal(archive.settings.password, 'two words');
    });

  it('a file holds the password of Redis, or its whole URL', () => {
    const password = fileWith('a%b:c/d@e');
    const { keys } = readConfig({ ...server, REDIS_PASSWORD_FILE: password });
    assert.deepEqual(keys, { kind: 'redis', url: 'redis://:a%25b%3Ac%2Fd%40e@redis:6379' });
    const url = 'rediss://user:secret@redis:6380/1';
    assert.deepEqual(readConfig({ REDIS_URL_FILE: fileWith(url) }).keys, { kind: 'redis', url });
  });

  it('a file that is missing, empty or beside its variable is a mistake, named with the others', () => {
    const environment = {
      CLICKHOUSE_PASSWORD: 'hunter2',
      CLICKHOUSE_PASSWORD_FILE: fileWith('hunter2'),
      REDIS_PASSWORD_FILE: join(dir, 'missing'),
      EMBEDDED_CLICKHOUSE_PASSWORD_FILE: fileWith('\n'),
      PORT: 'x',
    };
    assert.throws(
      () => readConfig(environment),
      (error) => {
        assert.ok(error instanceof SettingsError);
        assert.deepEqual(error.message.split('\n').sort(), [
          'CLICKHOUSE_PASSWORD_FILE cannot be set together with CLICKHOUSE_PASSWORD',
          'EMBEDDED_CLICKHOUSE_PASSWORD_FILE must be the path of a readable file that is not empty',
          'PORT must be a port from 1 to 65535, or 0 for any free port',
          'REDIS_PASSWORD_FILE must be the path of a readable file that is not empty',
        ]);
        return true;
      },
    );
  });

  it('the value of a file has to be valid, and is not shown', () => {
    const environment = { REDIS_URL_FILE: fileWith('http://:hunter2@redis') };
    assert.throws(() => readConfig(environment), {
      message: 'REDIS_URL must be a URL with redis: or rediss:',
    });
  });
});
