import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { buildEnvelope } from '../../../../api/observations/envelope.ts';
import type { Allowance } from '../../../../api/rate-limit/rate-limit.ts';
import type { Coverage } from '../../../../clickhouse/coverage/coverage.ts';

const COVERAGE: Coverage = {
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

describe('response envelope', () => {
  it('has the shape of the specification, with the records unchanged', () => {
    const { body } = buildEnvelope(
      Buffer.from('{"id":"a"},{"id":"b","raw":"é \\" \\\\"}'),
      COVERAGE,
      'next',
      allowance(9),
    );
    assert.deepEqual(JSON.parse(body().toString()), {
      data: [{ id: 'a' }, { id: 'b', raw: 'é " \\' }],
      meta: {
        hasMore: true,
        nextCursor: 'next',
        coverage: COVERAGE,
        rateLimit: { plan: 'starter', limitPerSecond: 10, remaining: 9 },
      },
    });
  });

  it('has no nextCursor on the last page (D11)', () => {
    const { meta, data } = JSON.parse(
      buildEnvelope(Buffer.of(), COVERAGE, undefined, allowance(9)).body().toString(),
    );
    assert.deepEqual(data, []);
    assert.equal(meta.hasMore, false);
    assert.ok(!('nextCursor' in meta));
  });

  it('has a weak entity tag of everything but the rate limit (D31)', () => {
    const { etag } = buildEnvelope(Buffer.from('{"id":"a"}'), COVERAGE, undefined, allowance(9));
    assert.match(etag, /^W\/"[A-Za-z0-9_-]+"$/);
    assert.equal(buildEnvelope(Buffer.from('{"id":"a"}'), COVERAGE, undefined, allowance(3)).etag, etag);
    const others = [
      buildEnvelope(Buffer.from('{"id":"b"}'), COVERAGE, undefined, allowance(9)),
      buildEnvelope(Buffer.from('{"id":"a"}'), COVERAGE, 'next', allowance(9)),
      buildEnvelope(Buffer.from('{"id":"a"}'), { ...COVERAGE, status: 'complete' }, undefined, allowance(9)),
    ];
    assert.equal(new Set([etag, ...others.map((other) => other.etag)]).size, 4);
  });
});
