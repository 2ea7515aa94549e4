import { once } from 'node:events';
import { type ArchiveSettings, openArchive } from '../clickhouse/client.ts';
import { fileKeyStore } from './auth/key-store-file.ts';
import { redisKeyStore } from './auth/key-store-redis.ts';
import type { Config } from './config.ts';
import type { Log } from './ops/log.ts';
import { memoryCounter, redisCounter } from './rate-limit/rate-limit.ts';
import { logOutages, openRedis, warnOfEviction } from './redis.ts';
import { fileUsageStore, redisUsageStore } from './usage/usage-stores.ts';

/** The service starts without Redis if Redis does not respond in this time. */
const REDIS_TIMEOUT_MS = 1000;

/** Statements of one request that can run at once. Probes have further connections: to wait for one would look like an outage. */
const STATEMENTS_AT_ONCE = 3;

/** The service cancels a statement at its deadline; if that is lost, ClickHouse ends the statement after this time. */
const CANCEL_SECONDS = 5;

export type Connections = Omit<Awaited<ReturnType<typeof openConnections>>, 'close'>;

export async function openConnections(
  { queryLimits, keys }: Pick<Config, 'queryLimits' | 'keys'>,
  archiveSettings: ArchiveSettings,
  log: Log,
) {
  const { queriesAtOnce, streamsAtOnce, queryTimeoutSeconds } = queryLimits;
  const requests = queriesAtOnce + streamsAtOnce;
  const archive = openArchive(archiveSettings, requests * STATEMENTS_AT_ONCE + 4, {
    max_execution_time: queryTimeoutSeconds + CANCEL_SECONDS,
  });
  const reportDamage = (record: string) => log.warn('damaged key record', { record });
  if (keys.kind === 'file')
    return {
      archive,
      keys: fileKeyStore(keys.path, reportDamage),
      count: memoryCounter(),
      usage: fileUsageStore(keys.usageFolder),
      close: () => archive.close(),
    };
  const redis = openRedis(keys.url);
  logOutages(redis, log);
  warnOfEviction(redis, log);
  await once(redis, 'ready', { signal: AbortSignal.timeout(REDIS_TIMEOUT_MS) }).catch(() => {});
  return {
    archive,
    keys: redisKeyStore(redis, reportDamage),
    count: redisCounter(redis),
    usage: redisUsageStore(redis),
    async close() {
      redis.disconnect();
      await archive.close();
    },
  };
}
