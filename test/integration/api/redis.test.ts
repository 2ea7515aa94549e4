import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLog } from '../../../api/ops/log.ts';
import { openRedis, warnOfEviction } from '../../../api/redis.ts';
import { until } from '../../support/engine/engine.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';

describe('a Redis that may evict keys', () => {
  let server: TestRedis;
  before(async () => {
    server = await startTestRedis();
  });
  after(() => server.stop());

  for (const [policy, lost] of [
    ['allkeys-lru', /drops API keys and their usage: its maxmemory-policy is allkeys-lru/],
    ['volatile-ttl', /drops the usage of API keys: its maxmemory-policy is volatile-ttl/],
    ['noeviction', undefined],
  ] as const)
    it(`is named once, at the first connection: ${policy}`, async () => {
      const lines: string[] = [];
      const admin = openRedis(server.directUrl);
      await once(admin, 'ready');
      const before = (await admin.config('GET', 'maxmemory-policy')) as string[];
      await admin.config('SET', 'maxmemory-policy', policy);
      const redis = openRedis(server.directUrl);
      try {
        warnOfEviction(redis, openLog({ write: (line) => lines.push(line) }));
        await once(redis, 'ready');
        redis.disconnect(true);
        await once(redis, 'ready');
        if (lost !== undefined) await until(() => lines.length > 0);
        await sleep(100);
        if (lost === undefined) return assert.deepEqual(lines, []);
        assert.equal(lines.length, 1);
        assert.match(lines[0] ?? '', lost);
      } finally {
        await admin.config('SET', 'maxmemory-policy', before[1] ?? 'noeviction');
        admin.disconnect();
        redis.disconnect();
      }
    });
});
