import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { refuseParts } from '../../../../../api/observations/formats/refuse-parts.ts';
import { parseCondition } from '../../../../../clickhouse/conditions/parse-condition.ts';
import type { PageRequest } from '../../../../../clickhouse/observations/page/page.ts';
import type {
  StreamRange,
  StreamRanges,
} from '../../../../../clickhouse/observations/stream/stream-range.ts';

const REQUEST = { stations: ['XAAA'], limit: 1_000_000 } as unknown as PageRequest;
const WHOLE: StreamRange = { window: { from: 0, to: 60 } };
const PART: StreamRange = {
  ...WHOLE,
  last: { observedAt: 0, station: 'XAAA', type: 'METAR', fingerprint: '00000000' },
};
const ranges = (range: StreamRange): StreamRanges => ({
  expectWhole: async () => undefined,
  read: async () => range,
  exceeds: async () => false,
  hasAtMost: async () => false,
  count: async () => 1_234_567,
});

describe('a range that has to be whole (D33)', () => {
  it('passes where it ends within the bound', async () => {
    assert.equal(await refuseParts(ranges(WHOLE)).read(REQUEST, new AbortController().signal), WHOLE);
  });

  it('is refused with the number of its records and what to do where it would be cut', async () => {
    await assert.rejects(refuseParts(ranges(PART)).read(REQUEST, new AbortController().signal), {
      code: 'invalid_parameter',
      message:
        'limit must be given: the range holds about 1,234,567 records, and one response at most 1,000,000. Set it and continue with X-Next-Cursor, or ask for fewer stations or a shorter range.',
    });
  });

  for (const [what, range, why] of [
    [
      'needs more reports judged than one response may',
      { ...PART, isShort: true },
      'a condition is judged on at most 10,000,000 reports for one response, and the range holds more',
    ],
    [
      'holds more records that meet it',
      PART,
      'the condition is true for more than 1,000,000 records, the most that one response holds',
    ],
  ] as const)
    it(`is refused with a condition that ${what}, and nothing is counted`, async () => {
      const uncounted = { ...ranges(range), count: () => Promise.reject(new Error('counted')) };
      const request = { ...REQUEST, condition: parseCondition('temp_c < 0') };
      await assert.rejects(refuseParts(uncounted).read(request, new AbortController().signal), {
        message: `limit must be given: ${why}. Set it and continue with X-Next-Cursor, or ask for fewer stations or a shorter range.`,
      });
    });
});
