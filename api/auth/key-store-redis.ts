import type { Redis } from 'ioredis';
import { type KeyRecord, type KeyStore, readKeyRecord } from './key-store.ts';

/** Shared with the live stream: one hash per key, named by the SHA-256 of the key (D26). */
const NAME = 'apikey:';

export function redisKeyStore(redis: Redis): KeyStore {
  return {
    async find(hash) {
      return readKeyRecord(await redis.hgetall(NAME + hash));
    },
    async add(hash, record) {
      await redis.hset(NAME + hash, record);
    },
    async list() {
      const records: KeyRecord[] = [];
      for await (const { record } of stored(redis)) records.push(record);
      return records.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
    },
    async revoke(id) {
      let revoked = 0;
      for await (const { name, record } of stored(redis)) {
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

/** SCAN may name a key twice (redis.io/commands/scan), so the names are collected first. */
async function* stored(redis: Redis): AsyncGenerator<{ name: string; record: KeyRecord }> {
  const names = new Set<string>();
  for await (const found of redis.scanStream({ match: `${NAME}*`, count: 1000 }))
    for (const name of found as readonly string[]) names.add(name);
  for (const name of names) {
    const record = readKeyRecord(await redis.hgetall(name));
    if (record !== undefined) yield { name, record };
  }
}
