import { once } from 'node:events';
import { Redis } from 'ioredis';
import { type ArchiveSettings, openArchive } from '../clickhouse/client.ts';
import { fileKeyStore } from './auth/key-store-file.ts';
import { redisKeyStore } from './auth/key-store-redis.ts';
import type { Connections } from './compose.ts';
import type { Config } from './config.ts';
import type { Log } from './ops/log.ts';
import { type RequestCounter, redisCounter } from './rate-limit/rate-limit.ts';
import { REDIS_OPTIONS, reportOutages } from './redis.ts';

export type OpenConnections = Connections & { close(): Promise<void> };

/** Redis that does not answer so soon is no reason not to start. */
const PATIENCE_MILLISECONDS = 1000;

/** Opens what every request needs: the archive, the keys, and a counter, our own where there is no Redis. */
export async function openConnections(
  { limits, keys }: Config,
  place: ArchiveSettings,
  countHere: () => RequestCounter,
  log: Log,
): Promise<OpenConnections> {
  const archive = openArchive(place, limits.queriesAtOnce + 2);
  if (keys.kind === 'file')
    return { archive, keys: fileKeyStore(keys.path), count: countHere(), close: () => archive.close() };
  const redis = new Redis(keys.url, REDIS_OPTIONS);
  reportOutages(redis, log);
  await once(redis, 'ready', { signal: AbortSignal.timeout(PATIENCE_MILLISECONDS) }).catch(() => {});
  return {
    archive,
    keys: redisKeyStore(redis),
    count: redisCounter(redis),
    async close() {
      redis.disconnect();
      await archive.close();
    },
  };
}
