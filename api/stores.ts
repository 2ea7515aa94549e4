import { once } from 'node:events';
import { Redis } from 'ioredis';
import { type ArchiveSettings, openArchive } from '../clickhouse/client.ts';
import type { Config } from './config.ts';
import { keysInFile } from './keys-file.ts';
import { keysInRedis } from './keys-redis.ts';
import type { Log } from './log.ts';
import { type Counter, countInRedis } from './ratelimit.ts';
import { REDIS_OPTIONS, reportOutages } from './redis.ts';
import type { Stores } from './service.ts';

export type OpenStores = Stores & { close(): Promise<void> };

/** Redis that does not answer so soon is no reason not to start. */
const PATIENCE_MILLISECONDS = 1000;

/** Opens what every request needs: the archive, the keys, and a counter, our own where there is no Redis. */
export async function openStores(
  { limits, keys }: Config,
  place: ArchiveSettings,
  countHere: () => Counter,
  log: Log,
): Promise<OpenStores> {
  const archive = openArchive(place, limits.queriesAtOnce + 2);
  if (keys.kind === 'file')
    return { archive, keys: keysInFile(keys.path), count: countHere(), close: () => archive.close() };
  const redis = new Redis(keys.url, REDIS_OPTIONS);
  reportOutages(redis, log);
  await once(redis, 'ready', { signal: AbortSignal.timeout(PATIENCE_MILLISECONDS) }).catch(() => {});
  return {
    archive,
    keys: keysInRedis(redis),
    count: countInRedis(redis),
    async close() {
      redis.disconnect();
      await archive.close();
    },
  };
}
