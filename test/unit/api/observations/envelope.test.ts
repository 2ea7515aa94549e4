import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { buildEnvelope } from '../../../../api/observations/envelope.ts';
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

/** A page of records, each in a part of its own. */
function pageOf(...records: readonly string[]) {
  const parts = () => records.map((text) => Buffer.from(text));
  return { parts, digest: (compute: (parts: readonly Buffer[]) => string) => compute(parts()) };
}

describe('response envelope', () => {
  it('has the shape of the specification, with the records unchanged', () => {
    const { body } = buildEnvelope(
      pageOf('{"id":"a"}', '{"id":"b","raw":"é \\" \\\\"}'),
      JSON.stringify(COVERAGE),
      'next',
      allowance(9),
    );
    assert.deepEqual(JSON.parse(body().join('')), {
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
      buildEnvelope(pageOf(), JSON.stringify(COVERAGE), undefined, allowance(9)).body().join(''),
    );
    assert.deepEqual(data, []);
    assert.equal(meta.hasMore, false);
    assert.ok(!('nextCursor' in meta));
  });

  it('has a weak entity tag of everything but the rate limit (D31)', () => {
    const { etag } = buildEnvelope(pageOf('{"id":"a"}'), JSON.stringify(COVERAGE), undefined, allowance(9));
    assert.match(etag, /^W\/"[A-Za-z0-9_-]+"$/);
    assert.equal(
      buildEnvelope(pageOf('{"id":"a"}'), JSON.stringify(COVERAGE), undefined, allowance(3)).etag,
      etag,
    );
    const others = [
      buildEnvelope(pageOf('{"id":"b"}'), JSON.stringify(COVERAGE), undefined, allowance(9)),
      buildEnvelope(pageOf('{"id":"a"}'), JSON.stringify(COVERAGE), 'next', allowance(9)),
      buildEnvelope(
        pageOf('{"id":"a"}'),
        JSON.stringify({ ...COVERAGE, status: 'complete' }),
        undefined,
        allowance(9),
      ),
    ];
    assert.equal(new Set([etag, ...others.map((other) => other.etag)]).size, 4);
  });
});
