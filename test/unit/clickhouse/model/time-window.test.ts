import assert from 'node:assert/strict';
import { clampToArchive } from '../../../../clickhouse/model/time-window.ts';

const at = (text: string) => Date.parse(text) / 1000;

describe('time window of a range', () => {
  it('begins in 2005', () => {
    const { from } =
      clampToArchive({ from: at('0001-01-01T00:00:00Z'), to: at('2010-01-01T00:00:00Z') }) ?? {};
    assert.equal(from, at('2005-01-01T00:00:00Z'));
  });
  it('is empty before 2005 and after the end of DateTime', () => {
    assert.equal(
      clampToArchive({ from: at('1990-01-01T00:00:00Z'), to: at('2005-01-01T00:00:00Z') }),
      undefined,
    );
    assert.equal(
      clampToArchive({ from: at('2200-01-01T00:00:00Z'), to: at('2300-01-01T00:00:00Z') }),
      undefined,
    );
  });
});
