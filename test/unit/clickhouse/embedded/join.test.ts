import assert from 'node:assert/strict';
import { measureSilence } from '../../../../clickhouse/embedded/join.ts';

describe('silence of an engine', () => {
  it('lasts from the last ping that was answered', () => {
    const silence = measureSilence(0);
    assert.equal(silence(true, 5_000), 0);
    assert.equal(silence(false, 12_000), 7_000);
    assert.equal(silence(false, 19_000), 14_000);
    assert.equal(silence(true, 20_000), 0);
    assert.equal(silence(false, 27_000), 7_000);
  });

  it('begins anew after a gap in the pings, because this process did not run either', () => {
    const silence = measureSilence(0);
    assert.equal(silence(false, 7_000), 7_000);
    assert.equal(silence(false, 3_600_000), 0);
    assert.equal(silence(false, 3_607_000), 7_000);
  });
});
