import assert from 'node:assert/strict';
import { KNOWN_SOURCES, rankOf, SOURCE_ADAPTERS } from '../../../../loader/sources/registry.ts';

describe('table of sources', () => {
  it('has the name that each adapter gives itself', () => {
    for (const name of KNOWN_SOURCES) assert.equal(SOURCE_ADAPTERS[name]().source, name);
  });

  it('has the ranks that the versions of stored rows hold, each once (D4)', () => {
    const ranks = Object.fromEntries(KNOWN_SOURCES.map((name) => [name, rankOf(name)]));
    // 4 is kept for MADIS.
    const stored = { demo: 1, iem: 2, awc: 3, ncei: 5, ogimet: 6 };
    assert.deepEqual({ ...ranks, ...stored }, ranks, 'a rank of stored rows has changed');
    assert.equal(new Set(Object.values(ranks)).size, KNOWN_SOURCES.length);
    for (const rank of Object.values(ranks)) assert.ok(rank >= 1 && rank <= 255);
  });

  it('gives a source that it does not know a rank below all', () => assert.equal(rankOf('other'), 0));
});
