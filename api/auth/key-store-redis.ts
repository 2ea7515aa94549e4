import type { Redis } from 'ioredis';
import { type KeyRecord, type KeyStore, parseKeyRecord } from './key-store.ts';

/** Shared with the live stream: one Redis hash for each key, named by the SHA-256 of the key (D26). */
const KEY_NAME_PREFIX = 'apikey:';

/** @param onDamagedRecord receives, once, the name of each record that does not follow D26 */
export function redisKeyStore(redis: Redis, onDamagedRecord: (name: string) => void): KeyStore {
  const reported = new Set<string>();
  /** A damaged record counts as missing, not as a store failure: one record must not open the circuit. */
  const read = async (name: string): Promise<KeyRecord | undefined> => {
    const fields = await redis.hgetall(name).catch((error: Error) => {
      if (!error.message.startsWith('WRONGTYPE')) throw error;
      return undefined;
    });
    const record = fields && parseKeyRecord(fields);
    const isAbsent = fields !== undefined && Object.keys(fields).length === 0;
    if (record === undefined && !isAbsent && !reported.has(name)) {
      reported.add(name);
      onDamagedRecord(name);
    }
    return record;
  };
  async function* entries() {
    for (const name of await scanNames(redis)) {
      const record = await read(name);
      if (record !== undefined) yield [name, record] as const;
    }
  }
  return {
    find: (hash) => read(KEY_NAME_PREFIX + hash),
    async add(hash, record) {
      await redis.hset(KEY_NAME_PREFIX + hash, record);
    },
    async list() {
      const records: KeyRecord[] = [];
      for await (const [, record] of entries()) records.push(record);
      return records.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
    },
    async change(id, changes) {
      let changed = 0;
      for await (const [name, record] of entries()) {
        if (record.id !== id) continue;
        await redis.hset(name, changes);
        changed += 1;
      }
      return changed;
    },
  };
}

/** SCAN may return a name twice (redis.io/commands/scan). */
async function scanNames(redis: Redis): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for await (const batch of redis.scanStream({ match: `${KEY_NAME_PREFIX}*`, count: 1000 }))
    for (const name of batch as readonly string[]) names.add(name);
  return names;
}
