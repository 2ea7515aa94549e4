import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { collectMetrics, collectProcessMetrics } from '../../../../api/ops/metrics.ts';
import { limitQueries } from '../../../../api/ops/query-limits.ts';
import { measureQueries } from '../../../../api/ops/query-metrics.ts';

describe('query metrics', () => {
  it('count the queries that run and the requests that wait', async () => {
    const metrics = collectMetrics(collectProcessMetrics());
    const read = async () => {
      const text = await metrics.text();
      return ['running', 'waiting'].map((state) =>
        Number(new RegExp(`^history_queries_${state} (\\d+)$`, 'm').exec(text)?.[1]),
      );
    };
    const limited = limitQueries(
      { queriesAtOnce: 2, streamsAtOnce: 1, queryTimeoutSeconds: 30 },
      async () => {},
    );
    const { runQuery: run, runIfIdle } = measureQueries(limited, metrics.add);
    const clients = new AbortController();
    const query = (client: string) =>
      run(
        (signal) => sleep(60_000, undefined, { signal }),
        { key: client, length: 100, disconnected: clients.signal },
        1,
      );
    const queries = Promise.allSettled(['a', 'b', 'c'].map(query));
    assert.deepEqual(await read(), [2, 1]);
    clients.abort();
    await queries;
    assert.deepEqual(await read(), [0, 0]);
    runIfIdle(() => sleep(10), 'a', 1);
    assert.deepEqual(await read(), [1, 0]);
    await sleep(50);
    assert.deepEqual(await read(), [0, 0]);
  });
});
