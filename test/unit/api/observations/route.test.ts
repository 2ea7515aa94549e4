import assert from 'node:assert/strict';
import { toCutProblem } from '../../../../api/observations/route.ts';
import { CutRangeError } from '../../../../clickhouse/observations/stream/stream-range.ts';

const RANGE = {
  window: { from: 0, to: 60 },
  last: { observedAt: 0, station: 'XAAA', type: 'METAR', fingerprint: '00000000' },
} as const;
const HOW = 'Set it and continue with X-Next-Cursor, or ask for fewer stations or a shorter range.';

describe('the problem of a range that would be cut', () => {
  for (const [error, why] of [
    [
      new CutRangeError(RANGE, 1_234_567),
      'the range holds about 1,234,567 records, and one response at most 1,000,000',
    ],
    [
      new CutRangeError({ ...RANGE, isShort: true }, undefined),
      'a condition is judged on at most 10,000,000 reports for one response, and the range holds more',
    ],
    [
      new CutRangeError(RANGE, undefined),
      'the condition is true for more than 1,000,000 records, the most that one response holds',
    ],
  ] as const)
    it(`says why and what to do: ${why}`, () => {
      assert.throws(
        () => {
          throw toCutProblem(error, 1_000_000);
        },
        { code: 'invalid_parameter', message: `limit must be given: ${why}. ${HOW}` },
      );
    });

  it('is no other failure', () => {
    const error = new Error('storage');
    assert.equal(toCutProblem(error, 1), error);
  });
});
