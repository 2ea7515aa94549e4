import { randomBytes } from 'node:crypto';
import { KEY_PREFIX } from '../key-prefix.ts';
import { isPlan, type Plan } from '../rate-limit/plans.ts';
import { generateKey, hashKey } from './api-key.ts';

/** What is stored about a key (D26), under the hash of the key. */
export type KeyRecord = {
  readonly id: string;
  readonly account: string;
  readonly plan: Plan;
  readonly status: 'active' | 'revoked';
  /** RFC 3339, UTC. */
  readonly createdAt: string;
  /** The first and last characters of the key, by which its owner recognises it. */
  readonly prefix: string;
  readonly last4: string;
};

/** Redis, or a file on one machine. It is read on every request, so a revoked key is refused on the next one. */
export type KeyStore = {
  find(hash: string): Promise<KeyRecord | undefined>;
  add(hash: string, record: KeyRecord): Promise<void>;
  list(): Promise<readonly KeyRecord[]>;
  /** @returns how many keys have this id */
  revoke(id: string): Promise<number>;
};

type KeyRequest = {
  readonly plan: Plan;
  readonly account: string;
  readonly id?: string;
};

/** Creates a key and stores its hash. The returned key cannot be read again from the store. */
export async function issueKey(store: KeyStore, { plan, account, id }: KeyRequest): Promise<string> {
  const key = generateKey();
  await store.add(hashKey(key), {
    id: id ?? randomBytes(6).toString('hex'),
    account,
    plan,
    status: 'active',
    createdAt: new Date().toISOString(),
    prefix: key.slice(0, KEY_PREFIX.length + 4),
    last4: key.slice(-4),
  });
  return key;
}

/** A stored record; `undefined` when fields are missing or unknown: such a key is not valid. */
export function parseKeyRecord(fields: Readonly<Record<string, string | undefined>>): KeyRecord | undefined {
  const { id, account = '', plan, status, createdAt = '', prefix = '', last4 = '' } = fields;
  if (id === undefined || !isPlan(plan) || (status !== 'active' && status !== 'revoked')) return undefined;
  return { id, account, plan, status, createdAt, prefix, last4 };
}
