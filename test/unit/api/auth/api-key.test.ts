import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { generateKey, hashKey, isWellFormedKey } from '../../../../api/auth/api-key.ts';

describe('API key (D26)', () => {
  it('has a readable prefix and 32 random bytes, different each time', () => {
    const keys = new Set(Array.from({ length: 100 }, generateKey));
    assert.equal(keys.size, 100);
    for (const key of keys) assert.match(key, /^hist_[A-Za-z0-9_-]{48}$/);
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
