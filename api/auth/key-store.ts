import { randomBytes } from 'node:crypto';
import { isPlan, type Plan } from '../rate-limit/plans.ts';
import { generateKey, hashKey, KEY_PREFIX } from './api-key.ts';

/** What is known of a key (D26). The key itself is not: only its hash is stored, as the name of the record. */
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

/** Redis in one size of the service, a file in the other; both are asked on every request, so that revoking works at once. */
export type KeyStore = {
  find(hash: string): Promise<KeyRecord | undefined>;
  add(hash: string, record: KeyRecord): Promise<void>;
  list(): Promise<readonly KeyRecord[]>;
  /** @returns how many keys bear this id */
  revoke(id: string): Promise<number>;
  /** Throws when the store does not answer. */
  check(): Promise<void>;
};

/** Makes a key and stores its hash. The key is returned here and can never be had again. */
export async function issueKey(
  store: KeyStore,
  { plan, account, id = randomBytes(6).toString('hex') }: { plan: Plan; account: string; id?: string },
): Promise<string> {
  const key = generateKey();
  await store.add(hashKey(key), {
    id,
    account,
    plan,
    status: 'active',
    createdAt: new Date().toISOString(),
    prefix: key.slice(0, KEY_PREFIX.length + 4),
    last4: key.slice(-4),
  });
  return key;
}

/** The record that a store holds, or nothing when what it holds is not one: such a key opens nothing. */
export function readKeyRecord(fields: Readonly<Record<string, string | undefined>>): KeyRecord | undefined {
  const { id, account = '', plan, status, createdAt = '', prefix = '', last4 = '' } = fields;
  if (id === undefined || !isPlan(plan) || (status !== 'active' && status !== 'revoked')) return undefined;
  return { id, account, plan, status, createdAt, prefix, last4 };
}
