import assert from 'node:assert/strict';
import { newestWindow } from '../../../../loader/follow/source-follower.ts';

describe('the window of a cycle of follow', () => {
  const NOW = new Date('2026-11-26T12:00:30Z');
  const windowSince = (receivedUntil = '1970-01-01T00:00:00Z') => {
    const { from, to } = newestWindow(NOW, Date.parse(receivedUntil) / 1000);
    return [from, to].map((time) => new Date(time * 1000).toISOString().slice(0, 16));
  };

  it('is a day in the first cycle, and then begins three hours before the end of the last one', () => {
    assert.deepEqual(windowSince(), ['2026-11-25T12:00', '2026-11-26T12:00']);
    assert.deepEqual(windowSince('2026-11-26T11:00:00Z'), ['2026-11-26T08:00', '2026-11-26T12:00']);
    assert.deepEqual(windowSince('2026-11-20T11:00:00Z'), ['2026-11-25T12:00', '2026-11-26T12:00']);
  });

  it('never ends before it begins: what a clock that was ahead has told says nothing (D70)', () => {
    assert.deepEqual(windowSince('2026-12-06T11:00:00Z'), ['2026-11-25T12:00', '2026-11-26T12:00']);
    assert.deepEqual(windowSince('2026-11-26T12:30:00Z'), ['2026-11-25T12:00', '2026-11-26T12:00']);
  });
});
