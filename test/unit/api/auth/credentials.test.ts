import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { generateKey } from '../../../../api/auth/api-key.ts';
import { parseAuthorization } from '../../../../api/auth/credentials.ts';

describe('Authorization header', () => {
  it('holds a key as a bearer token, the scheme in upper or lower case', () => {
    const key = generateKey();
    for (const header of [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key} `])
      assert.deepEqual(parseAuthorization(header), { kind: 'key', key });
  });

  it('is missing credentials when it is absent', () => {
    assert.deepEqual(parseAuthorization(undefined), { kind: 'missing' });
  });

  it('is invalid credentials with another scheme, other parts or a malformed key', () => {
    for (const header of [
      '',
      'Bearer',
      'Bearer ',
      `Basic ${generateKey()}`,
      generateKey(),
      `Bearer ${generateKey()} x`,
      'Bearer x',
    ])
      assert.deepEqual(parseAuthorization(header), { kind: 'invalid' }, header);
  });
});
