import assert from 'node:assert/strict';
import { formatDuration } from '../../../loader/wording.ts';

describe('durations', () => {
  for (const [seconds, text] of [
    [0, '0 s'],
    [4, '4 s'],
    [99, '99 s'],
    [100, '2 min'],
    [99 * 60, '99 min'],
    [7200, '2 h'],
    [12_000, '3 h 20 min'],
    [47 * 3600 + 3599, '48 h'],
    [2 * 86_400, '2 days'],
    [6 * 86_400 + 4 * 3600, '6 days 4 h'],
    [515_288 * 60, '358 days'],
  ] as const)
    it(`are written as people do: ${text}`, () => assert.equal(formatDuration(seconds), text));
});
