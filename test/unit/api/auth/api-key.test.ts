import assert from 'node:assert/strict';
import fc from 'fast-check';
import { generateKey, hashKey, isWellFormedKey, parseAuthorization } from '../../../../api/auth/api-key.ts';

/** Keys that are stored nowhere. */
const KEY_WITH_HYPHEN = 'hist_jOU_lK_xjcyJpJU8FDxC6-RfqN5CaOs_zfaHDk7d59s8O57-';
const KEY_WITH_UNDERSCORE = 'hist_KUP1Em4ybizE41ODDDeafmRwV08hkhfSlGAWBHsB90FrssE_';

describe('API key (D26)', () => {
  it('has a readable prefix and 32 random bytes, different each time', () => {
    const keys = new Set(Array.from({ length: 100 }, generateKey));
    assert.equal(keys.size, 100);
    for (const key of keys) assert.match(key, /^hist_[A-Za-z0-9_-]{48}$/);
  });

  it('ends in a letter or a digit, so that a double click selects all of it', () => {
    for (const key of Array.from({ length: 2000 }, generateKey)) assert.match(key, /[A-Za-z0-9]$/);
  });

  it('is also well formed when it ends in a hyphen or an underscore, as earlier keys do', () => {
    assert.ok(isWellFormedKey(KEY_WITH_HYPHEN));
    assert.ok(isWellFormedKey(KEY_WITH_UNDERSCORE));
  });

  it('is well formed when its checksum is right', () => {
    assert.ok(Array.from({ length: 100 }, generateKey).every(isWellFormedKey));
  });

  it('is malformed when a character differs or is missing', () => {
    const key = generateKey();
    fc.assert(
      fc.property(fc.nat(key.length - 1), fc.constantFrom(...'Aa0_-z'), (at, character) => {
        fc.pre(key[at] !== character);
        assert.ok(!isWellFormedKey(key.slice(0, at) + character + key.slice(at + 1)));
        assert.ok(!isWellFormedKey(key.slice(0, at) + key.slice(at + 1)));
      }),
    );
  });

  it('is malformed when it is any other text', () => {
    fc.assert(fc.property(fc.string(), (text) => !isWellFormedKey(text)));
    assert.ok(!isWellFormedKey(`hist_${'A'.repeat(47)}B`));
    assert.ok(!isWellFormedKey(`${generateKey()}\n`));
  });

  it('is stored under its SHA-256', () => {
    assert.equal(hashKey('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('Authorization header', () => {
  it('holds a key as a bearer token, the scheme in upper or lower case', () => {
    const key = generateKey();
    for (const header of [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key} `])
      assert.equal(parseAuthorization(header), key);
  });

  it('holds no key with another scheme, other parts or a malformed key', () => {
    for (const header of ['', 'Bearer', `Basic ${generateKey()}`, generateKey(), `Bearer ${generateKey()} x`])
      assert.equal(parseAuthorization(header), undefined, header);
  });
});
