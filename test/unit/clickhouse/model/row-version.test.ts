import assert from 'node:assert/strict';
import {
  MAX_DECODER_VERSION,
  versionAbove,
  versionDecoded,
} from '../../../../clickhouse/model/row-version.ts';
import { DECODER_VERSION } from '../../../../loader/decode.ts';

describe('version of a row', () => {
  it('has the rank of the source in its high bits (D4)', () => assert.equal(versionAbove(6) >> 16, 6));
  it('rises when the same source revises its row', () => {
    const first = versionAbove(2);
    const second = versionAbove(2, { version: first });
    assert.ok(second > first);
    assert.ok(versionAbove(2, { version: second }) > second);
  });
  it('of a better source is above every revision of a lesser one', () => {
    const revised = versionAbove(2, { version: versionAbove(2) + 1000 });
    assert.ok(versionAbove(3, { version: revised }) > revised);
    assert.equal(versionAbove(3, { version: revised }), versionAbove(3));
  });
  it('fits into UInt32', () => assert.ok(versionAbove(255) < 2 ** 32 - 2 ** 16));

  describe('of a newer decoder', () => {
    const row = { version: versionAbove(2, { version: versionAbove(2) }) };

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
      for (const rank of [1, 2, 3, 255])
        assert.ok(versionAbove(rank, row) > versionDecoded(MAX_DECODER_VERSION, row), `${rank}`);
    });
    it('is below a text that was written knowing of it', () => {
      const decoded = versionDecoded(MAX_DECODER_VERSION, row);
      assert.ok(versionAbove(2, { version: decoded }) > decoded);
    });
  });
  it('fits the current decoder version', () => assert.ok(DECODER_VERSION <= MAX_DECODER_VERSION));
});
