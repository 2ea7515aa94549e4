import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { collectDefaultMetrics, register } from 'prom-client';
import { memoryBound, openMetrics, watchAge } from '../../../../api/ops/metrics.ts';
import { RequestQueue } from '../../../../api/ops/request-queue.ts';
import type { Archive } from '../../../../clickhouse/archive.ts';

/** An archive that answers each statement with this text. */
const archiveWith = (answer: () => Promise<string>) =>
  ({ select: async () => Buffer.from(await answer()) }) as unknown as Archive;

describe('metrics', () => {
  const cache = { hits: 0, misses: 0, readsAhead: 0, bytes: 0 };
  const newMetrics = () =>
    openMetrics(
      archiveWith(async () => '{"newest":null}'),
      {
        queue: new RequestQueue({ queriesAtOnce: 1, streamsAtOnce: 1, memoryBytes: 1000 }),
        cache,
        limits: { dataDir: tmpdir(), memoryBytes: 500_000_000 },
      },
    );
  let text: string;
  before(async () => {
    // Another file of tests may have collected them in this process.
    register.clear();
    collectDefaultMetrics();
    const metrics = newMetrics();
    const page = { endpoint: 'observations', plan: 'starter', format: 'json', status: 200, code: 'none' };
    metrics.request({ ...page, seconds: 0.02, records: 7 });
    metrics.request({ ...page, seconds: 0.3, records: 5 });
    const refused = { ...page, format: 'none', status: 429, code: 'rate_limited' };
    metrics.request({ ...refused, seconds: 0.001, records: 0 });
    text = await metrics.text();
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
      buckets.slice(0, 4).map(([, bound, count]) => `${bound}: ${count}`),
      ['0.005: 1', '0.01: 1', '0.025: 2', '0.05: 2'],
    );
    assert.deepEqual(buckets.at(-1)?.slice(1), ['+Inf', '3']);
    assert.match(text, /^history_request_seconds_count\{endpoint="observations"\} 3$/m);
  });

  it('have values that are read when they are printed', async () => {
    const metrics = newMetrics();
    for (const hits of [3, 5]) {
      Object.assign(cache, { hits, bytes: hits });
      const printed = await metrics.text();
      const name = 'history_page_cache';
      assert.match(printed, new RegExp(`^# TYPE ${name}_bytes gauge\\n${name}_bytes ${hits}$`, 'm'));
      assert.match(
        printed,
        new RegExp(`^# TYPE ${name}_hits_total counter\\n${name}_hits_total ${hits}$`, 'm'),
      );
    }
  });

  it('have the room on the disk of DATA_DIR, as `df` shows it', async () => {
    const [available, size] = ['available', 'size'].map((what) =>
      Number(new RegExp(`^history_data_dir_${what}_bytes (\\S+)$`, 'm').exec(text)?.[1]),
    );
    const { stdout } = await promisify(execFile)('df', ['--block-size=1', '--output=size,avail', tmpdir()]);
    const [dfSize = 0, dfAvailable = 0] = stdout.split('\n')[1]?.trim().split(/\s+/).map(Number) ?? [];
    assert.equal(size, dfSize);
    // Other programs write meanwhile.
    assert.ok(Math.abs((available ?? 0) - dfAvailable) < 1e9, `${available} ${dfAvailable}`);
  });

  it('have the memory that the process may use: by its settings, or by the limit of its container', () => {
    assert.match(text, /^history_memory_bound_bytes \d+$/m);
    assert.equal(memoryBound(500, undefined), 500);
    assert.equal(memoryBound(500, 0), 500);
    assert.equal(memoryBound(500, 2 ** 64), 500);
    assert.equal(memoryBound(500, 400), 360);
  });
});

describe('age of the newest report', () => {
  /** The lines of the metric. */
  const printed = async (answer: () => Promise<string>) => {
    const queue = new RequestQueue({ queriesAtOnce: 1, streamsAtOnce: 1, memoryBytes: 1000 });
    const cache = { hits: 0, misses: 0, readsAhead: 0, bytes: 0 };
    const metrics = openMetrics(archiveWith(answer), { queue, cache, limits: { memoryBytes: 1 } });
    await turn();
    return (await metrics.text()).match(/^history_newest_report_age_seconds.*$/gm);
  };

  it('is read once in half a minute', async () => {
    let reads = 0;
    const age = watchAge(
      archiveWith(async () => {
        reads += 1;
        return `{"newest":${Math.floor(Date.now() / 1000) - 600}}`;
      }),
    );
    assert.equal(age(), undefined);
    await turn();
    assert.ok(Math.abs((age() ?? 0) - 600) < 5);
    assert.equal(reads, 1);
  });

  it('is that of the archive', async () => {
    const [line = ''] =
      (await printed(async () => `{"newest":${Math.floor(Date.now() / 1000) - 600}}`)) ?? [];
    assert.match(line, /^history_newest_report_age_seconds 60[0-5]/);
  });

  for (const [name, answer] of [
    ['is empty', async () => '{"newest":null}'],
    ['does not answer', () => Promise.reject(new Error('gone'))],
    ['has not answered yet', () => new Promise<string>(() => {})],
  ] as const)
    it(`is absent while the archive ${name}`, async () => assert.equal(await printed(answer), null));
});
