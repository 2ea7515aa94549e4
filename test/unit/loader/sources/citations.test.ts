import assert from 'node:assert/strict';
import { CITATIONS, citationsOf } from '../../../../clickhouse/model/report.ts';
import { KNOWN_SOURCES } from '../../../../loader/sources/registry.ts';

describe('citations', () => {
  it('are there for every source of the loader', () => {
    assert.deepEqual(Object.keys(CITATIONS).sort(), [...KNOWN_SOURCES].sort());
  });

  it('name each source once, also one of an older program', () => {
    assert.deepEqual(citationsOf(['ogimet', 'gone', 'ogimet']), [
      { source: 'gone' },
      { source: 'ogimet', citation: CITATIONS.ogimet },
    ]);
  });
});
