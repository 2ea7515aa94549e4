import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { generateKey, hashKey } from '../../../../api/auth/api-key.ts';
import { createAuthenticator } from '../../../../api/auth/authenticate.ts';
import { issueKey, type KeyRecord, type KeyStore } from '../../../../api/auth/key-store.ts';

/** The smallest key store that keeps the promises of one. */
function keysInMemory(): KeyStore {
  const records = new Map<string, KeyRecord>();
  return {
    find: async (hash) => records.get(hash),
    add: async (hash, record) => void records.set(hash, record),
    list: async () => [...records.values()],
    async revoke(id) {
      const found = [...records].filter(([, record]) => record.id === id);
      for (const [hash, record] of found) records.set(hash, { ...record, status: 'revoked' });
      return found.length;
    },
    check: async () => {},
  };
}

function counting() {
  const buckets: string[] = [];
  return {
    buckets,
    count: async (bucket: string) => {
      buckets.push(bucket);
      return new RateLimiterRes(0, 1000, buckets.filter((name) => name === bucket).length);
    },
  };
}

describe('admission (D25)', () => {
  it('counts a request with a valid key in the bucket of the key, and nowhere else', async () => {
    const keys = keysInMemory();
    const { buckets, count } = counting();
    const key = await issueKey(keys, { plan: 'starter', account: 'a' });
    const { who, allowance } = await createAuthenticator(keys, count)(`Bearer ${key}`, '192.0.2.1');
    assert.equal(who.kind, 'caller');
    assert.deepEqual(buckets, [`key:${hashKey(key)}`]);
    assert.deepEqual([allowance.plan, allowance.limitPerSecond, allowance.remaining], ['starter', 10, 9]);
  });

  it('counts every other request in the bucket of its address (D29)', async () => {
    const keys = keysInMemory();
    const revoked = await issueKey(keys, { plan: 'professional', account: 'a', id: 'gone' });
    await keys.revoke('gone');
    const { buckets, count } = counting();
    const admit = createAuthenticator(keys, count);
    const headers = [undefined, 'Bearer x', `Bearer ${generateKey()}`, `Bearer ${revoked}`];
    const allowances = [];
    for (const header of headers) allowances.push((await admit(header, '192.0.2.1')).allowance);
    assert.equal(buckets.filter((name) => name === 'address:192.0.2.1').length, headers.length);
    assert.deepEqual(
      allowances.map(({ limitPerSecond, remaining }) => [limitPerSecond, remaining]),
      [9, 8, 7, 6].map((remaining) => [10, remaining]),
    );
  });

  it('refuses garbage without asking the key store (D26)', async () => {
    const keys = { ...keysInMemory(), find: () => assert.fail('was asked') };
    const { who } = await createAuthenticator(keys, counting().count)('Bearer hist_garbage', '192.0.2.1');
    assert.deepEqual(who, { kind: 'stranger', presented: 'something' });
  });

  it('lets nobody in when the store fails, key or no key (D30)', async () => {
    const down = () => Promise.reject(new Error('connection lost'));
    const admit = createAuthenticator({ ...keysInMemory(), find: down }, down);
    for (const header of [undefined, `Bearer ${generateKey()}`])
      await assert.rejects(admit(header, '192.0.2.1'), {
        code: 'key_store_unavailable',
        headers: { 'Retry-After': '1' },
      });
  });
});
