import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { collectMetrics, collectProcessMetrics } from '../../../../api/ops/metrics.ts';

describe('metrics', () => {
  let text: string;
  before(async () => {
    const metrics = collectMetrics(collectProcessMetrics());
    const page = { endpoint: 'observations', plan: 'starter', format: 'json', status: 200, code: 'none' };
    metrics.request({ ...page, seconds: 0.02, records: 7 });
    metrics.request({ ...page, seconds: 0.3, records: 5 });
    metrics.request({
      ...page,
      format: 'none',
      status: 429,
      code: 'rate_limited',
      seconds: 0.001,
      records: 0,
    });
    metrics.stream('csv', 1000);
    metrics.stream('csv', 500);
    text = await metrics.text();
  });

  it('count streams and their bytes by format', () => {
    assert.match(text, /^history_streams_total\{format="csv"\} 2$/m);
    assert.match(text, /^history_stream_bytes_total\{format="csv"\} 1500$/m);
  });

  it('count requests by endpoint, plan, format, status and code, and records', () => {
    assert.match(
      text,
      /^history_requests_total\{endpoint="observations",plan="starter",format="json",status="200",code="none"\} 2$/m,
    );
    assert.match(text, /^history_requests_total\{.*format="none",status="429",code="rate_limited"\} 1$/m);
    assert.match(text, /^history_records_served_total 12$/m);
  });

  it('have a cumulative histogram of response times', () => {
    const buckets = [
      ...text.matchAll(/history_request_seconds_bucket\{le="([^"]+)",endpoint="observations"\} (\d+)/g),
    ];
    assert.deepEqual(
      buckets.slice(0, 4).map(([, bound, count]) => [bound, count]),
      [
        ['0.005', '1'],
        ['0.01', '1'],
        ['0.025', '2'],
        ['0.05', '2'],
      ],
    );
    assert.deepEqual(buckets.at(-1)?.slice(1), ['+Inf', '3']);
    assert.match(text, /^history_request_seconds_count\{endpoint="observations"\} 3$/m);
  });

  it('have values that are read when they are printed', async () => {
    const metrics = collectMetrics(collectProcessMetrics());
    let value = 3;
    metrics.add({ kind: 'gauge', name: 'history_gauge', help: 'A gauge.', read: () => value });
    metrics.add({ kind: 'counter', name: 'history_counter_total', help: 'A counter.', read: () => value });
    for (value of [3, 5]) {
      const printed = await metrics.text();
      assert.match(printed, new RegExp(`^# TYPE history_gauge gauge\\nhistory_gauge ${value}$`, 'm'));
      assert.match(
        printed,
        new RegExp(`^# TYPE history_counter_total counter\\nhistory_counter_total ${value}$`, 'm'),
      );
    }
  });

  it('have memory, CPU and event loop of the process', () => {
    for (const name of [
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
      'nodejs_eventloop_lag_p99_seconds',
    ])
      assert.match(text, new RegExp(`^${name} [0-9.e+-]+$`, 'm'), name);
  });

  it('are in the text format of Prometheus: each line a comment or a sample, each with a line break', () => {
    assert.ok(text.endsWith('\n'));
    for (const line of text.trimEnd().split('\n').filter(Boolean))
      assert.match(
        line,
        /^# (HELP|TYPE) [a-z0-9_]+ .+$|^[a-z0-9_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? ([0-9.e+-]+|NaN|Nan)$/i,
      );
  });
});
