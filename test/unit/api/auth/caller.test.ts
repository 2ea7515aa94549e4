import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { generateKey } from '../../../../api/auth/api-key.ts';
import { callerFromRecord, parseAuthorization, requireCaller } from '../../../../api/auth/caller.ts';
import type { KeyRecord } from '../../../../api/auth/key-store.ts';
import { Problem } from '../../../../api/http/problem.ts';

const RECORD: KeyRecord = {
  id: 'k1',
  account: 'a',
  plan: 'starter',
  status: 'active',
  createdAt: '2026-01-01T00:00:00.000Z',
  prefix: 'hist_abcd',
  last4: 'wxyz',
};

describe('a caller', () => {
  it('presents a key as a bearer token, the scheme in any case', () => {
    const key = generateKey();
    for (const header of [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key} `])
      assert.deepEqual(parseAuthorization(header), { kind: 'key', key });
  });

  it('presents nothing without the header, and something with any other', () => {
    assert.deepEqual(parseAuthorization(undefined), { kind: 'nothing' });
    for (const header of [
      '',
      'Bearer',
      'Bearer ',
      `Basic ${generateKey()}`,
      generateKey(),
      `Bearer ${generateKey()} x`,
      'Bearer x',
    ])
      assert.deepEqual(parseAuthorization(header), { kind: 'something' }, header);
  });

  it('is known by an active record', () => {
    const caller = requireCaller(callerFromRecord(RECORD));
    assert.equal(caller.keyId, 'k1');
    assert.equal(caller.plan, 'starter');
  });

  it('gets one identical answer for an unknown and for a revoked key (D24)', () => {
    const answers = [callerFromRecord(undefined), callerFromRecord({ ...RECORD, status: 'revoked' })].map(
      (who) => {
        try {
          return requireCaller(who);
        } catch (error) {
          assert.ok(error instanceof Problem);
          return [error.code, error.message, error.headers];
        }
      },
    );
    assert.deepEqual(answers[0], answers[1]);
    assert.deepEqual(answers[0], [
      'invalid_credentials',
      'This API key is not valid.',
      { 'WWW-Authenticate': 'Bearer realm="history", error="invalid_token"' },
    ]);
  });
});
