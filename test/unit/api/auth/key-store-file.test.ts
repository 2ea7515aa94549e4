import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { hashKey } from '../../../../api/auth/api-key.ts';
import { issueKey } from '../../../../api/auth/key-store.ts';
import { fileKeyStore } from '../../../../api/auth/key-store-file.ts';

describe('key store in a file (D27)', () => {
  let dir: string;
  let path: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'keys-'));
    path = join(dir, 'data', 'keys.jsonl');
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('is empty before the first key', async () => {
    const keys = fileKeyStore(path);
    assert.equal(await keys.find(hashKey('x')), undefined);
    assert.deepEqual(await keys.list(), []);
    await keys.check();
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
    assert.equal(await fileKeyStore(path).revoke(record?.id ?? ''), 1);
    assert.equal((await service.find(hashKey(key)))?.status, 'revoked');
    assert.equal(await service.revoke('unknown'), 0);
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

  it('ignores a record with an unknown plan', async () => {
    await issueKey(fileKeyStore(path), { plan: 'sandbox', account: 'a' });
    const hash = hashKey('x');
    await appendFile(path, `\n{"hash":"${hash}","record":{"id":"x","plan":"unlimited","status":"active"}}\n`);
    assert.equal(await fileKeyStore(path).find(hash), undefined);
  });
});
