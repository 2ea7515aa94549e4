import assert from 'node:assert/strict';
import { SOURCES } from '../../../../clickhouse/model/report.ts';
import {
  MOST_DECODERS,
  rankOf,
  versionAbove,
  versionDecoded,
} from '../../../../clickhouse/model/row-version.ts';
import { DECODER_VERSION } from '../../../../loader/decode.ts';

describe('the version of a row', () => {
  it('ranks the sources by faithfulness (D4)', () => {
    const byRank = [...SOURCES].sort((a, b) => rankOf(b) - rankOf(a));
    assert.deepEqual(byRank, ['ogimet', 'ncei', 'madis', 'awc', 'iem', 'demo']);
  });
  it('rises when the same source revises its own row', () => {
    const first = versionAbove('iem');
    const second = versionAbove('iem', { version: first });
    assert.ok(second > first);
    assert.ok(versionAbove('iem', { version: second }) > second);
  });
  it('of a better source passes every revision of a lesser one', () => {
    const revised = versionAbove('iem', { version: versionAbove('iem') + 1000 });
    assert.ok(versionAbove('awc', { version: revised }) > revised);
    assert.equal(versionAbove('awc', { version: revised }), versionAbove('awc'));
  });
  it('fits the column', () => assert.ok(versionAbove('ogimet') < 2 ** 32 - 2 ** 16));

  describe('when a newer decoder reads the text of a row again', () => {
    const row = { version: versionAbove('iem', { version: versionAbove('iem') }) };

    it('passes the row, and rises from decoder to decoder', () => {
      const second = versionDecoded(2, row);
      assert.ok(second > row.version);
      assert.ok(versionDecoded(3, { version: second }) > second);
      assert.ok(versionDecoded(2, { version: row.version + 7 }) > row.version + 7);
    });
    it('is the same, whichever decoder read it before', () => {
      assert.equal(versionDecoded(4, { version: versionDecoded(2, row) }), versionDecoded(4, row));
    });
    it('stays below every other text, of whatever source, though that did not know of it', () => {
      for (const source of SOURCES)
        assert.ok(versionAbove(source, row) > versionDecoded(MOST_DECODERS, row), source);
    });
    it('is passed by a text that did know of it', () => {
      const decoded = versionDecoded(MOST_DECODERS, row);
      assert.ok(versionAbove('iem', { version: decoded }) > decoded);
    });
  });
  it('has room for the decoder', () => assert.ok(DECODER_VERSION <= MOST_DECODERS));
});
