import assert from 'node:assert/strict';
import { clampToArchive } from '../../../../clickhouse/model/time-window.ts';

const clamp = (from: string, to: string) =>
  clampToArchive({ from: Date.parse(from) / 1000, to: Date.parse(to) / 1000 });

describe('time window of a range', () => {
  it('begins in 2005', () =>
    assert.equal(clamp('0001-01-01', '2010-01-01')?.from, Date.UTC(2005, 0, 1) / 1000));
  it('is empty before 2005 and after the end of DateTime', () => {
    assert.equal(clamp('1990-01-01', '2005-01-01'), undefined);
    assert.equal(clamp('2200-01-01', '2300-01-01'), undefined);
  });
});
