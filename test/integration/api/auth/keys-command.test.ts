import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isWellFormedKey } from '../../../../api/auth/api-key.ts';
import { OBSERVATIONS, startApiWithoutArchive, type TestApi } from '../../../support/api/api.ts';
import { run } from '../../../support/process.ts';
import { startTestRedis, type TestRedis } from '../../../support/redis.ts';
import { newFolder } from '../../../support/test-run.ts';
import { withinOneDay } from '../../../support/within-one-day.ts';

for (const store of ['Redis', 'a file'] as const)
  describe(`npm run keys with keys in ${store}`, () => {
    let redis: TestRedis | undefined;
    let api: TestApi;
    const dataDir = newFolder();
    let settings: { readonly dataDir: string; readonly redisUrl?: string };
    before(async () => {
      redis = store === 'Redis' ? await startTestRedis() : undefined;
      settings = { dataDir, ...(redis && { redisUrl: redis.url }) };
      api = await startApiWithoutArchive(settings);
    });
    after(async () => {
      await api.stop();
      await redis?.stop();
    });

    const keys = (...args: readonly string[]) =>
      run('keys', args, { DATA_DIR: dataDir, ...(redis && { REDIS_URL: redis.url }) }).finished;

    const lastLine = (text: string) => text.trimEnd().split('\n').at(-1) ?? '';

    it('creates a key on the last line, lists it and revokes it, each valid for the next request of a running service', async () => {
      const created = await keys('create', '--plan', 'starter', '--account', 'Météo & Fils');
      assert.equal(created.code, 0, created.stderr);
      const key = lastLine(created.stdout);
      assert.ok(isWellFormedKey(key), created.stdout);
      const accepted = await api.get(`${OBSERVATIONS}?x=1`, { key });
      assert.equal(accepted.status, 400);
      assert.equal(accepted.headers.get('x-ratelimit-limit'), '10');

      const { stdout } = await keys('list');
      assert.match(stdout, /^id +plan +status +created +ends +key +account\n/);
      const line = stdout.split('\n').find((text) => text.endsWith('Météo & Fils')) ?? '';
      const [id = '', plan, status] = line.split(/ +/);
      assert.deepEqual([plan, status], ['starter', 'active']);
      assert.ok(!stdout.includes(key) && line.includes(key.slice(-4)), line);

      assert.equal((await keys('revoke', id)).code, 0);
      assert.equal((await api.get(`${OBSERVATIONS}?x=1`, { key })).status, 401);
      assert.match((await keys('list')).stdout, new RegExp(`${id} +starter +revoked`));
    });

    it('prints what keys have used, and holds no key', async () => {
      // Writes what it has counted when it stops: a running service does so every few seconds.
      const service = await startApiWithoutArchive(settings);
      const { day, account, key } = await withinOneDay(async (today) => {
        const account = `Öl AG ${today}`;
        const key = lastLine((await keys('create', '--plan', 'sandbox', '--account', account)).stdout);
        for (let request = 0; request < 3; request += 1)
          await (await service.get(`${OBSERVATIONS}?x=1`, { key })).text();
        return { day: today, account, key };
      });
      await service.get(OBSERVATIONS, { key: `${key}x` });
      await service.stop();
      const { stdout } = await keys('usage', '--days', '2', '--json');
      const [row, ...others] = (JSON.parse(stdout) as Record<string, unknown>[]).filter(
        (each) => each.account === account,
      );
      assert.equal(others.length, 0);
      const { bytes, key: id, ...rest } = row ?? {};
      assert.deepEqual(rest, { day, requests: 3, refusals: 3, records: 0, account, plan: 'sandbox' });
      assert.ok(Number(bytes) > 600 && !stdout.includes(key), stdout);
      const files = (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter((file) =>
        file.isFile(),
      );
      assert.equal(files.length > 1, store === 'a file');
      for (const { parentPath, name } of files)
        assert.ok(!(await readFile(join(parentPath, name), 'utf8')).includes(key), name);
      const table = (await keys('usage')).stdout;
      assert.match(table, /^day +key +plan +requests +refusals +records +bytes +account$/m);
      assert.match(table, new RegExp(`^${day} +${id} +sandbox +3 +3 +0 +${bytes} +${account}$`, 'm'));
    });

    if (store === 'Redis') return;

    it('ends well where its output is closed early, as by `head`', async () => {
      const listing = run('keys', ['list'], { DATA_DIR: dataDir, ...(redis && { REDIS_URL: redis.url }) });
      listing.closeOutput();
      const { code, stderr } = await listing.finished;
      assert.deepEqual([code, stderr], [0, '']);
    });

    it('creates keys that expire, rotates and changes plans, each for the next request of a running service', async () => {
      const listed = async () =>
        JSON.parse((await keys('list', '--json')).stdout) as Record<string, string>[];
      const limitOf = async (key: string) => {
        const { status, headers } = await api.get(`${OBSERVATIONS}?x=1`, { key });
        return status === 400 ? headers.get('x-ratelimit-limit') : status;
      };
      const options = ['--plan', 'starter', '--account', 'rotated', '--expires', '2999-01-01'];
      const old = lastLine((await keys('create', ...options)).stdout);
      const id = (await listed()).find(({ account }) => account === 'rotated')?.id ?? '';
      assert.equal((await keys('set-plan', id, 'professional')).code, 0);
      assert.equal(await limitOf(old), '100');

      const next = lastLine((await keys('rotate', id, '--grace', '1h')).stdout);
      assert.deepEqual([await limitOf(old), await limitOf(next)], ['100', '100']);
      const [before, after] = (await listed())
        .filter(({ account }) => account === 'rotated')
        .sort((a) => (a.id === id ? -1 : 1));
      assert.equal(before?.replacedBy, after?.id);
      assert.ok(Date.parse(before?.expiresAt ?? '') <= Date.now() + 3_600_000);
      // The new key ends when the old one would have.
      assert.match(after?.expiresAt ?? '', /^2999-01-01T00:00:00/);

      const again = await keys('rotate', id, '--grace', '7d');
      const advice = `Key ${id} was already replaced by ${after?.id}: rotate ${after?.id}.\n`;
      assert.deepEqual([again.code, again.stderr], [1, advice]);

      await keys('rotate', after?.id ?? '', '--grace', '0m');
      assert.equal(await limitOf(next), 401);
      assert.match(
        (await keys('list')).stdout,
        new RegExp(`${after?.id} +professional +expired +[\\dTZ:.-]+ +20[\\dTZ:.-]+ `),
      );
    });

    it('fails for an unknown id', async () => {
      const { code, stderr } = await keys('revoke', 'unknown');
      assert.deepEqual([code, stderr], [1, 'There is no key with id unknown.\n']);
    });
  });

describe('npm run keys', () => {
  it('exits with 2 and the mistake for invalid arguments', async () => {
    for (const args of [[], ['create', '--plan', 'gold'], ['revoke']]) {
      const { code, stderr, stdout } = await run('keys', args, { DATA_DIR: '/nonexistent' }).finished;
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, /^[^\n]+\n$/);
      assert.equal(stdout, '');
    }
  });

  it('reports that Redis does not respond, without its password', async () => {
    const settings = { REDIS_URL: 'redis://u:hunter2@127.0.0.1:1' };
    const { code, stderr } = await run('keys', ['list'], settings).finished;
    assert.equal(code, 1);
    assert.match(stderr, /^The key store at 127\.0\.0\.1:1 does not respond: .+\n$/);
    assert.doesNotMatch(stderr, /hunter2/);
  });
});

describe('npm run keys with damaged files', () => {
  it('names them, and goes on', async () => {
    const dataDir = newFolder();
    const keys = (...args: readonly string[]) => run('keys', args, { DATA_DIR: dataDir }).finished;
    await keys('create', '--plan', 'starter', '--account', 'first');
    const path = join(dataDir, 'keys.jsonl');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"first"', '"firsT"'));
    await keys('create', '--plan', 'starter', '--account', 'second');
    const usage = join(dataDir, 'usage');
    await mkdir(usage);
    const damaged = join(usage, `${new Date().toISOString().slice(0, 10)}.00.json`);
    await writeFile(damaged, '{"a');

    const listed = await keys('list');
    assert.equal(listed.code, 0);
    assert.ok(listed.stderr.startsWith(`Ignored line 2 of ${path}: `), listed.stderr);
    assert.match(listed.stdout, /revoked .* firsT\n.* active .* second\n/);
    const used = await keys('usage');
    assert.equal(used.code, 0);
    assert.ok(used.stderr.includes(`Ignored ${damaged}: it is damaged.`), used.stderr);
  });
});
