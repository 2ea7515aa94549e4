import assert from 'node:assert/strict';
import { buildEnvelope, type Envelope, formatPaging, jsonText } from '../../../../api/answers/envelope.ts';
import type { Allowance } from '../../../../api/rate-limit/rate-limit.ts';

const COVERAGE = {
  status: 'partial',
  stations: [{ station: 'KJFK', status: 'partial', yearsDone: 1, yearsAll: 2 }],
};
const allowance = (remaining: number): Allowance => ({
  plan: 'starter',
  limitPerSecond: 10,
  remaining,
  exhausted: false,
  resetMilliseconds: 500,
});

const pageOf = (...records: readonly string[]) => jsonText(records.join(','));

const metaOf = (coverage: typeof COVERAGE, nextCursor?: string) => ({
  members: formatPaging(nextCursor),
  coverage: jsonText(JSON.stringify({ coverage }).slice(1, -1)),
});

const bodyOf = ({ parts }: Envelope) => JSON.parse(parts.join(''));

describe('response envelope', () => {
  it('has the shape of the specification, with the records unchanged', () => {
    const envelope = buildEnvelope(
      pageOf('{"id":"a"}', '{"id":"b","raw":"é \\" \\\\"}'),
      metaOf(COVERAGE, 'next'),
      allowance(9),
    );
    assert.deepEqual(bodyOf(envelope), {
      data: [{ id: 'a' }, { id: 'b', raw: 'é " \\' }],
      meta: {
        hasMore: true,
        nextCursor: 'next',
        coverage: COVERAGE,
        rateLimit: { plan: 'starter', limitPerSecond: 10, remaining: 9 },
      },
    });
  });

  it('has a weak entity tag of everything but the rate limit (D31)', () => {
    const { etag } = buildEnvelope(pageOf('{"id":"a"}'), metaOf(COVERAGE), allowance(9));
    assert.match(etag, /^W\/"[A-Za-z0-9_-]+"$/);
    assert.equal(buildEnvelope(pageOf('{"id":"a"}'), metaOf(COVERAGE), allowance(3)).etag, etag);
    const others = [
      buildEnvelope(pageOf('{"id":"b"}'), metaOf(COVERAGE), allowance(9)),
      buildEnvelope(pageOf('{"id":"a"}'), metaOf(COVERAGE, 'next'), allowance(9)),
      buildEnvelope(pageOf('{"id":"a"}'), metaOf({ ...COVERAGE, status: 'complete' }), allowance(9)),
    ];
    assert.equal(new Set([etag, ...others.map((other) => other.etag)]).size, 4);
  });
});
