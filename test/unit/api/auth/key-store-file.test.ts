import assert from 'node:assert/strict';
import { appendFile, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashKey } from '../../../../api/auth/api-key.ts';
import { issueKey, isValidKey, type KeyStore } from '../../../../api/auth/key-store.ts';
import { fileKeyStore } from '../../../../api/auth/key-store-file.ts';
import { newFolder } from '../../../support/test-run.ts';

describe('key store in a file (D27)', () => {
  let dir: string;
  let path: string;
  beforeEach(async () => {
    dir = newFolder();
    path = join(dir, 'data', 'keys.jsonl');
  });

  it('finds the record of D26 by the hash of the key, and does not store the key', async () => {
    const keys = fileKeyStore(path);
    await issueKey(keys, { plan: 'sandbox', account: 'other' });
    const key = await issueKey(keys, { plan: 'starter', account: 'Öl & "Wind"\nGmbH' });
    const record = await keys.find(hashKey(key));
    assert.equal(record?.plan, 'starter');
    assert.equal(record.account, 'Öl & "Wind"\nGmbH');
    assert.equal(record.status, 'active');
    assert.ok(key.startsWith(record.prefix) && key.endsWith(record.last4));
    assert.ok(!(await readFile(path, 'utf8')).includes(key));
    assert.equal((await stat(path)).mode & 0o077, 0);
  });

  it('revokes by id a key that another process created, for the next look-up', async () => {
    const key = await issueKey(fileKeyStore(path), { plan: 'starter', account: 'a' });
    const service = fileKeyStore(path);
    const [record] = await service.list();
    assert.equal(await fileKeyStore(path).change(record?.id ?? '', { status: 'revoked' }), 1);
    assert.equal((await service.find(hashKey(key)))?.status, 'revoked');
    assert.equal(await service.change('unknown', { status: 'revoked' }), 0);
  });

  it('keeps every change of concurrent writers', async () => {
    await Promise.all(
      Array.from({ length: 50 }, () => issueKey(fileKeyStore(path), { plan: 'sandbox', account: 'a' })),
    );
    assert.equal((await fileKeyStore(path).list()).length, 50);
  });

  it('reads the keys before and after a line that was cut off', async () => {
    const first = await issueKey(fileKeyStore(path), { plan: 'sandbox', account: 'a' });
    await appendFile(path, '\n{"hash":"00", "rec');
    const second = await issueKey(fileKeyStore(path), { plan: 'sandbox', account: 'b' });
    const keys = fileKeyStore(path);
    for (const key of [first, second]) assert.equal((await keys.find(hashKey(key)))?.status, 'active');
    assert.equal((await keys.list()).length, 2);
  });

  const statusOf = async (keys: KeyStore, key: string) => (await keys.find(hashKey(key)))?.status;

  it('treats a key as unknown when its last record is damaged', async () => {
    const keys = fileKeyStore(path);
    const key = await issueKey(keys, { plan: 'sandbox', account: 'a' });
    assert.equal(await statusOf(keys, key), 'active');
    await appendFile(path, `\n{"hash":"${hashKey(key)}","record":{"id":"x","status":"suspended"}}\n`);
    assert.equal(await statusOf(keys, key), undefined);
  });

  it('never makes a revoked or expired key active by one damaged byte, whichever it is, and names the line', async () => {
    const keys = fileKeyStore(path);
    const revoked = hashKey(await issueKey(keys, { plan: 'starter', account: 'Öl', id: 'k1' }));
    const expired = hashKey(await issueKey(keys, { plan: 'starter', account: 'c', id: 'k2' }));
    await keys.change('k2', { expiresAt: '2024-01-01T00:00:00.000Z' });
    await keys.change('k1', { status: 'revoked' });
    const whole = await readFile(path);
    // Without its name the checksum is not read; then the rest of the line is sound.
    const unseen = new Set(
      [...whole.toString('latin1').matchAll(/\n|"crc32":/g)].flatMap(({ 0: text, index }) =>
        [...text].map((_, n) => index + n),
      ),
    );
    const damagedPath = join(dir, 'damaged.jsonl');
    for (let at = 0; at < whole.length; at += 1)
      for (const value of [(whole[at] as number) ^ 1, 10, 0xff]) {
        if (value === whole[at]) continue;
        const damaged = Buffer.from(whole);
        damaged[at] = value;
        await writeFile(damagedPath, damaged);
        const named: string[] = [];
        const store = fileKeyStore(damagedPath, (name) => named.push(name));
        const what = `byte ${at} as ${value}`;
        for (const hash of [revoked, expired]) {
          const found = await store.find(hash);
          assert.ok(found === undefined || !isValidKey(found), `${what}: ${JSON.stringify(found)}`);
        }
        if (!unseen.has(at)) assert.match(named.join(), /^line \d+ of .*damaged\.jsonl/, what);
      }
  });

  it('lists the key of a damaged line as revoked, and names the line once', async () => {
    const named: string[] = [];
    const keys = fileKeyStore(path, (name) => named.push(name.replace(path, 'it')));
    const key = await issueKey(keys, { plan: 'starter', account: 'a', id: 'k1' });
    await keys.change('k1', { plan: 'professional' });
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('"professional"', '"sandbox"'));
    assert.equal(await statusOf(keys, key), 'revoked');
    await issueKey(keys, { plan: 'starter', account: 'b' });
    assert.deepEqual(
      (await keys.list()).map(({ status }) => status),
      ['revoked', 'active'],
    );
    assert.deepEqual(named, ['line 4 of it']);
  });

  it('sees each change that is complete before the look-up, while other look-ups run', async () => {
    const keys = fileKeyStore(path);
    for (let round = 0; round < 20; round += 1) {
      const key = await issueKey(fileKeyStore(path), { plan: 'starter', account: 'a', id: `k${round}` });
      const earlier = Array.from({ length: 5 }, () => statusOf(keys, key));
      assert.equal(await statusOf(keys, key), 'active');
      const during = statusOf(keys, key);
      await fileKeyStore(path).change(`k${round}`, { status: 'revoked' });
      assert.equal(await statusOf(keys, key), 'revoked');
      await Promise.all([...earlier, during]);
    }
  });

  it('reads a list of 50,000 keys once for all look-ups', async () => {
    const record = {
      id: 'k',
      account: 'a',
      plan: 'sandbox',
      status: 'active',
      createdAt: '',
      prefix: '',
      last4: '',
    };
    const lines = Array.from({ length: 50_000 }, (_, n) => JSON.stringify({ hash: hashKey(`${n}`), record }));
    await issueKey(fileKeyStore(path), { plan: 'starter', account: 'a' });
    await appendFile(path, `\n${lines.join('\n')}\n`);
    const keys = fileKeyStore(path);
    const started = performance.now();
    for (let n = 0; n < 300; n += 1) assert.equal(await statusOf(keys, `${n}`), 'active');
    const seconds = (performance.now() - started) / 1000;
    assert.ok(seconds < 15, `${seconds} s`);
  });

  it('reads a last line once it is complete', async () => {
    const other = join(dir, 'other.jsonl');
    const key = await issueKey(fileKeyStore(other), { plan: 'starter', account: 'Öl' });
    const line = await readFile(other);
    const keys = fileKeyStore(path);
    const first = await issueKey(keys, { plan: 'starter', account: 'a' });
    for (let at = 0; at < line.length; at += 1) {
      await appendFile(path, line.subarray(at, at + 1));
      assert.equal(await statusOf(keys, key), at === line.length - 1 ? 'active' : undefined, `byte ${at}`);
    }
    assert.equal(await statusOf(keys, first), 'active');
  });

  it('reads a file again that was replaced, edited, truncated or removed', async () => {
    const keys = fileKeyStore(path);
    const first = await issueKey(keys, { plan: 'starter', account: 'a' });
    const second = await issueKey(keys, { plan: 'starter', account: 'b' });
    const statuses = async () => [await statusOf(keys, first), await statusOf(keys, second)];
    assert.deepEqual(await statuses(), ['active', 'active']);
    const text = await readFile(path, 'utf8');

    // Longer than before, as an append makes it.
    await writeFile(path, text.replace('"active"', '"revoked"'));
    assert.deepEqual(await statuses(), ['revoked', 'active']);

    await writeFile(`${path}.new`, text.replaceAll('"active"', '"revoked"'));
    await rename(`${path}.new`, path);
    assert.deepEqual(await statuses(), ['revoked', 'revoked']);

    await writeFile(path, text);
    await truncate(path, text.indexOf('\n', 1) + 1);
    assert.deepEqual(await statuses(), ['active', undefined]);

    await rm(path);
    assert.deepEqual(await statuses(), [undefined, undefined]);
    await writeFile(path, text);
    assert.deepEqual(await statuses(), ['active', 'active']);
  });
});
