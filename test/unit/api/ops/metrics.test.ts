import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { collectMetrics } from '../../../../api/ops/metrics.ts';

describe('the metrics', () => {
  const metrics = collectMetrics();
  metrics.request({ status: 200, code: 'none', seconds: 0.02, records: 7 });
  metrics.request({ status: 200, code: 'none', seconds: 0.3, records: 5 });
  metrics.request({ status: 429, code: 'rate_limited', seconds: 0.001, records: 0 });
  let text: string;
  before(async () => {
    text = await metrics.text();
  });

  it('count requests by status and code, and the records served', () => {
    assert.match(text, /^history_requests_total\{status="200",code="none"\} 2$/m);
    assert.match(text, /^history_requests_total\{status="429",code="rate_limited"\} 1$/m);
    assert.match(text, /^history_records_served_total 12$/m);
  });

  it('hold a cumulative histogram of times', () => {
    const buckets = [...text.matchAll(/_bucket\{le="([^"]+)"\} (\d+)/g)].map(([, le, count]) => [le, count]);
    assert.deepEqual(buckets.slice(0, 4), [
      ['0.005', '1'],
      ['0.01', '1'],
      ['0.025', '2'],
      ['0.05', '2'],
    ]);
    assert.deepEqual(buckets.at(-1), ['+Inf', '3']);
    assert.match(text, /^history_request_seconds_count 3$/m);
  });

  it('are in the text format of Prometheus: every line a comment or a sample, the last one ended', () => {
    assert.ok(text.endsWith('\n'));
    for (const line of text.trimEnd().split('\n'))
      assert.match(
        line,
        /^# (HELP|TYPE) [a-z_]+ .+$|^[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+$/,
      );
  });
});
