import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { isWellFormedKey } from '../../../../api/auth/api-key.ts';
import { openArchive } from '../../../../clickhouse/client.ts';
import { HISTORY, startApi, type TestApi } from '../../../support/api.ts';
import { run } from '../../../support/process.ts';
import { startTestRedis, type TestRedis } from '../../../support/redis.ts';

for (const store of ['Redis', 'a file'] as const)
  describe(`npm run keys, with keys in ${store}`, () => {
    const archive = openArchive({
      url: 'http://127.0.0.1:1',
      username: 'default',
      password: '',
      database: 'none',
    });
    let redis: TestRedis | undefined;
    let api: TestApi;
    let dataDir: string;
    before(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'keys-cli-'));
      redis = store === 'Redis' ? await startTestRedis() : undefined;
      api = await startApi(archive, { dataDir, ...(redis && { redisUrl: redis.url }) });
    });
    after(async () => {
      await api.stop();
      await archive.close();
      await redis?.stop();
      await rm(dataDir, { recursive: true });
    });

    const keys = (...args: readonly string[]) =>
      run('api/auth/keys-command.ts', args, { DATA_DIR: dataDir, ...(redis && { REDIS_URL: redis.url }) })
        .finished;

    it('creates a key as the last line, which a running service takes at once, lists it, and revokes it at once', async () => {
      const created = await keys('create', '--plan', 'starter', '--account', 'Météo & Fils');
      assert.equal(created.code, 0, created.stderr);
      const key = created.stdout.trimEnd().split('\n').at(-1) ?? '';
      assert.ok(isWellFormedKey(key), created.stdout);
      const accepted = await api.get(`${HISTORY}?x=1`, { key });
      assert.equal(accepted.status, 400);
      assert.equal(accepted.headers.get('x-ratelimit-limit'), '10');

      const { stdout } = await keys('list');
      const line = stdout.split('\n').find((text) => text.endsWith('Météo & Fils')) ?? '';
      const [id = '', plan, status] = line.split(/ +/);
      assert.deepEqual([plan, status], ['starter', 'active']);
      assert.ok(!stdout.includes(key) && line.includes(key.slice(-4)), line);

      assert.equal((await keys('revoke', id)).code, 0);
      assert.equal((await api.get(`${HISTORY}?x=1`, { key })).status, 401);
      assert.match((await keys('list')).stdout, new RegExp(`${id} +starter +revoked`));
    });

    it('says which id it does not know', async () => {
      const { code, stderr } = await keys('revoke', 'nobody');
      assert.deepEqual([code, stderr], [1, 'There is no key with id nobody.\n']);
    });
  });

describe('npm run keys', () => {
  it('shows how it is called when it is called otherwise', async () => {
    for (const args of [
      [],
      ['create', '--plan', 'gold'],
      ['create', '--plan'],
      ['list', '--plan', 'starter'],
      ['revoke'],
    ]) {
      const { code, stderr, stdout } = await run('api/auth/keys-command.ts', args, {
        DATA_DIR: '/nonexistent',
      }).finished;
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, /npm run keys -- create --plan sandbox\|starter\|professional/);
      assert.equal(stdout, '');
    }
  }).timeout(60_000);

  it('says that Redis does not answer, without its password', async () => {
    const { code, stderr } = await run('api/auth/keys-command.ts', ['list'], {
      REDIS_URL: 'redis://u:hunter2@127.0.0.1:1',
    }).finished;
    assert.equal(code, 1);
    assert.match(stderr, /^The key store at 127\.0\.0\.1:1 does not answer: .+\n$/);
    assert.doesNotMatch(stderr, /hunter2/);
  });
});
