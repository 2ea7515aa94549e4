import assert from 'node:assert/strict';
import { SOURCES } from '../../../../clickhouse/model/report.ts';
import {
  MAX_DECODER_VERSION,
  rankOf,
  versionAbove,
  versionDecoded,
} from '../../../../clickhouse/model/row-version.ts';
import { DECODER_VERSION } from '../../../../loader/decode.ts';

describe('version of a row', () => {
  it('has the rank of the source in its high bits (D4)', () => {
    const byRank = [...SOURCES].sort((a, b) => rankOf(b) - rankOf(a));
    assert.deepEqual(byRank, ['ogimet', 'ncei', 'madis', 'awc', 'iem', 'demo']);
  });
  it('rises when the same source revises its row', () => {
    const first = versionAbove('iem');
    const second = versionAbove('iem', { version: first });
    assert.ok(second > first);
    assert.ok(versionAbove('iem', { version: second }) > second);
  });
  it('of a better source is above every revision of a lesser one', () => {
    const revised = versionAbove('iem', { version: versionAbove('iem') + 1000 });
    assert.ok(versionAbove('awc', { version: revised }) > revised);
    assert.equal(versionAbove('awc', { version: revised }), versionAbove('awc'));
  });
  it('fits into UInt32', () => assert.ok(versionAbove('ogimet') < 2 ** 32 - 2 ** 16));

  describe('of a newer decoder', () => {
    const row = { version: versionAbove('iem', { version: versionAbove('iem') }) };

    it('is above the row, and rises from decoder to decoder', () => {
      const second = versionDecoded(2, row);
      assert.ok(second > row.version);
      assert.ok(versionDecoded(3, { version: second }) > second);
      assert.ok(versionDecoded(2, { version: row.version + 7 }) > row.version + 7);
    });
    it('is the same, whichever decoder read the text before', () => {
      assert.equal(versionDecoded(4, { version: versionDecoded(2, row) }), versionDecoded(4, row));
    });
    it('stays below every other text, of whatever source, that was written without knowing of it', () => {
      for (const source of SOURCES)
        assert.ok(versionAbove(source, row) > versionDecoded(MAX_DECODER_VERSION, row), source);
    });
    it('is below a text that was written knowing of it', () => {
      const decoded = versionDecoded(MAX_DECODER_VERSION, row);
      assert.ok(versionAbove('iem', { version: decoded }) > decoded);
    });
  });
  it('fits the current decoder version', () => assert.ok(DECODER_VERSION <= MAX_DECODER_VERSION));
});
