import assert from 'node:assert/strict';
import { join } from 'node:path';
import { generateKey, hashKey } from '../../../../api/auth/api-key.ts';
import { openAuthenticator } from '../../../../api/auth/authenticate.ts';
import { issueKey, type KeyStore } from '../../../../api/auth/key-store.ts';
import { fileKeyStore } from '../../../../api/auth/key-store-file.ts';
import { requireCaller } from '../../../../api/http/accept-request.ts';
import type { Problem } from '../../../../api/problem.ts';
import { memoryCounter } from '../../../../api/rate-limit/rate-limit.ts';
import { newFolder } from '../../../support/test-run.ts';

const ADDRESS = '192.0.2.1';

describe('authentication (D25)', () => {
  let dir: string;
  let keys: KeyStore;
  /** The buckets in which requests were counted. */
  let buckets: string[];
  const count = memoryCounter();
  const countAndRecord = (bucket: string) => {
    buckets.push(bucket);
    return count(bucket);
  };
  beforeEach(async () => {
    dir = newFolder();
    keys = fileKeyStore(join(dir, 'keys.jsonl'));
    buckets = [];
  });

  it('counts a request with a valid key in the bucket of the key only', async () => {
    const key = await issueKey(keys, { plan: 'starter', account: 'a', id: 'k1' });
    const identity = await openAuthenticator(keys, countAndRecord).authenticate(`Bearer ${key}`, ADDRESS);
    assert.equal(requireCaller(identity).keyId, 'k1');
    assert.deepEqual(buckets, [`key:${hashKey(key)}`]);
    const { plan, limitPerSecond, remaining } = identity.allowance;
    assert.deepEqual([plan, limitPerSecond, remaining], ['starter', 10, 9]);
  });

  it('admits clients without a key as guests, one bucket for each address, and none with a wrong key', async () => {
    const authenticator = openAuthenticator(keys, countAndRecord, { guestPlan: 'sandbox' });
    const guest = requireCaller(await authenticator.authenticate(undefined, ADDRESS));
    assert.deepEqual([guest.keyId, guest.turnOf], [undefined, `guest:${ADDRESS}`]);
    const { plan, limitPerSecond, remaining } = guest.allowance;
    assert.deepEqual([plan, limitPerSecond, remaining], ['sandbox', 1, 0]);
    assert.ok((await authenticator.authenticate(undefined, ADDRESS)).allowance.exhausted);
    const forged = await authenticator.authenticate(`Bearer ${generateKey()}`, ADDRESS);
    assert.throws(() => requireCaller(forged), { code: 'invalid_credentials' });
    assert.deepEqual(buckets, [`guest:${ADDRESS}`, `guest:${ADDRESS}`, `address:${ADDRESS}`]);
  });

  it('refuses a malformed key without reading the key store (D26)', async () => {
    const unreadable = { ...keys, find: () => assert.fail('The key store was read') };
    const identity = await openAuthenticator(unreadable, memoryCounter()).authenticate(
      'Bearer hist_garbage',
      ADDRESS,
    );
    assert.throws(() => requireCaller(identity), { code: 'invalid_credentials' });
  });

  it('refuses a request with a key while the key store fails, and serves one without a key (D30)', async () => {
    // Reading a folder as a file fails.
    const authenticator = openAuthenticator(fileKeyStore(dir), memoryCounter());
    for (let request = 0; request < 5; request += 1)
      await assert.rejects(authenticator.authenticate(`Bearer ${generateKey()}`, ADDRESS), {
        code: 'key_store_unavailable',
        headers: { 'Retry-After': '1' },
      });
    const identity = await authenticator.authenticate(undefined, ADDRESS);
    assert.throws(() => requireCaller(identity), { code: 'missing_credentials' });
  });

  it('is not ready while keys cannot be looked up (D32)', () =>
    assert.rejects(
      openAuthenticator(fileKeyStore(dir), memoryCounter()).check(),
      ({ status, cause }: Problem) => status === 503 && /EISDIR/.test(String(cause)),
    ));
});
