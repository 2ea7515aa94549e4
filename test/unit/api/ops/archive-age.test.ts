import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { measureArchiveAge } from '../../../../api/ops/archive-age.ts';

describe('age of the archive', () => {
  it('is that of the newest report, is read once in half a minute, and rises while the archive does not answer', async () => {
    let reads = 0;
    let age = () => Number.NaN;
    const observed = Date.now() / 1000 - 600;
    const readNewest = async () => {
      reads += 1;
      return observed;
    };
    measureArchiveAge(readNewest, ({ read }) => {
      age = read;
    });
    assert.ok(Number.isNaN(age()));
    await turn();
    assert.ok(Math.abs(age() - 600) < 5);
    assert.equal(reads, 1);
  });

  it('is not a number where the archive is empty or does not answer', async () => {
    for (const readNewest of [async () => undefined, () => Promise.reject(new Error('gone'))]) {
      let age = () => 0;
      measureArchiveAge(readNewest, ({ read }) => {
        age = read;
      });
      await turn();
      assert.ok(Number.isNaN(age()));
    }
  });
});
