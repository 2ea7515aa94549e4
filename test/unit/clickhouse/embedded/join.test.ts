import assert from 'node:assert/strict';
import { totalmem } from 'node:os';
import { measureSilence } from '../../../../clickhouse/embedded/join.ts';
import { memoryEnvironment } from '../../../../clickhouse/embedded/start.ts';

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

describe('the memory of an engine', () => {
  it('is half of that of the machine or container, and a tenth of that for files', () => {
    assert.deepEqual(memoryEnvironment(2 ** 30), {
      HISTORY_ENGINE_MEMORY: String(2 ** 30),
      HISTORY_ENGINE_CACHE: '107374182',
    });
    const bytes = Number(memoryEnvironment().HISTORY_ENGINE_MEMORY);
    assert.ok(bytes > 0 && bytes <= totalmem() / 2, `${bytes}`);
  });
});
