import assert from 'node:assert/strict';
import { SOURCES } from '../../../clickhouse/report.ts';
import { rankOf, versionAbove } from '../../../clickhouse/version.ts';

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
});
