import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RecordSizes } from '../../../../api/observations/record-sizes.ts';

const RAW = { raw: true, decoded: false };
const BOTH = { raw: true, decoded: true };
const recordsOf = (size: number) => ({
  bytes: Buffer.alloc(100 * size),
  ends: new Uint32Array(100),
  count: 100,
});

describe('the estimated size of records', () => {
  it('follows the pages that were read: at once where they are larger, by and by where they are smaller', () => {
    const sizes = new RecordSizes();
    const first = sizes.estimate(BOTH);
    assert.ok(first > sizes.estimate(RAW));
    sizes.add(BOTH, recordsOf(400));
    assert.equal(sizes.estimate(BOTH), 400);
    sizes.add(BOTH, recordsOf(1200));
    assert.equal(sizes.estimate(BOTH), 1200);
    for (let page = 0; page < 100; page += 1) sizes.add(BOTH, recordsOf(300));
    assert.ok(Math.abs(sizes.estimate(BOTH) - 300) < 1, `${sizes.estimate(BOTH)}`);
    assert.ok(sizes.estimate(RAW) < first);
  });

  it('is not that of an empty page', () => {
    const sizes = new RecordSizes();
    const before = sizes.estimate(RAW);
    sizes.add(RAW, { bytes: Buffer.alloc(0), ends: new Uint32Array(), count: 0 });
    assert.equal(sizes.estimate(RAW), before);
  });
});
