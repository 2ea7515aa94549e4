import type { Redis } from 'ioredis';
import { type KeyRecord, type KeyStore, parseKeyRecord } from './key-store.ts';

/** Shared with the live stream: one Redis hash for each key, named by the SHA-256 of the key (D26). */
const NAME_PREFIX = 'apikey:';

export function redisKeyStore(redis: Redis): KeyStore {
  return {
    async find(hash) {
      return parseKeyRecord(await redis.hgetall(NAME_PREFIX + hash));
    },
    async add(hash, record) {
      await redis.hset(NAME_PREFIX + hash, record);
    },
    async list() {
      const records: KeyRecord[] = [];
      for await (const { record } of scanRecords(redis)) records.push(record);
      return records.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
    },
    async revoke(id) {
      let revoked = 0;
      for await (const { name, record } of scanRecords(redis)) {
        if (record.id !== id) continue;
        await redis.hset(name, { status: 'revoked' });
        revoked += 1;
      }
      return revoked;
    },
    async check() {
      await redis.ping();
    },
  };
}

/** SCAN may return a name twice (redis.io/commands/scan), so the names are collected in a set first. */
async function* scanRecords(redis: Redis): AsyncGenerator<{ name: string; record: KeyRecord }> {
  const names = new Set<string>();
  for await (const batch of redis.scanStream({ match: `${NAME_PREFIX}*`, count: 1000 }))
    for (const name of batch as readonly string[]) names.add(name);
  for (const name of names) {
    const record = parseKeyRecord(await redis.hgetall(name));
    if (record !== undefined) yield { name, record };
  }
}
