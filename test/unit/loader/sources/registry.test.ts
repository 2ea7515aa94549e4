import assert from 'node:assert/strict';
import { KNOWN_SOURCES, rankOfText, SOURCE_ADAPTERS } from '../../../../loader/sources/registry.ts';

describe('table of sources', () => {
  it('has the name that each adapter gives itself', () => {
    for (const name of KNOWN_SOURCES) assert.equal(SOURCE_ADAPTERS[name]().source, name);
  });

  it('has the ranks that the versions of stored rows hold (D4)', () => {
    const ranks = Object.fromEntries(KNOWN_SOURCES.map((name) => [name, rankOfText(name)]));
    const stored = { demo: 1, iem: 2, tgftp: 2, awc: 3, madis: 4, wmo: 4, ghcnh: 5, ncei: 5, ogimet: 6 };
    assert.deepEqual({ ...ranks, ...stored }, ranks, 'a rank of stored rows has changed');
    for (const rank of Object.values(ranks)) assert.ok(rank >= 1 && rank <= 255);
  });

  it('has ranks for the descriptions of every source that lists stations', () => {
    for (const name of KNOWN_SOURCES) {
      const adapter = SOURCE_ADAPTERS[name]();
      const lists = ['descriptionList', 'stationList', 'periodLists', 'list'];
      if (lists.some((list) => list in adapter)) assert.ok(adapter.descriptionRanks, name);
    }
  });

  it('ranks a text that its source has cut below every whole one', () => {
    assert.equal(rankOfText('madis', 'x'.repeat(253)), 4);
    assert.equal(rankOfText('madis', 'x'.repeat(254)), 0);
    assert.equal(rankOfText('ogimet', 'x'.repeat(600)), 6);
  });

  it('gives a source that it does not know a rank below all', () => assert.equal(rankOfText('other'), 0));
});
