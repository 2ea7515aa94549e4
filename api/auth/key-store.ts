import { randomBytes } from 'node:crypto';
import { KEY_PREFIX } from '../ops/log.ts';
import { isPlan, type Plan } from '../rate-limit/rate-limit.ts';
import { generateKey, hashKey } from './api-key.ts';

export type KeyRecord = {
  readonly id: string;
  readonly account: string;
  readonly plan: Plan;
  readonly status: 'active' | 'revoked';
  /** RFC 3339, UTC. */
  readonly createdAt: string;
  /** The first and last characters of the key, by which its owner recognizes it. */
  readonly prefix: string;
  readonly last4: string;
  /** RFC 3339, UTC: the key is invalid from then on. */
  readonly expiresAt?: string;
  /** The id of the key that replaces this one. */
  readonly replacedBy?: string;
};

/** Redis, or a file on one machine. It is read on every request, so the next request with a revoked key is refused. */
export type KeyStore = {
  find(hash: string): Promise<KeyRecord | undefined>;
  add(hash: string, record: KeyRecord): Promise<void>;
  list(): Promise<readonly KeyRecord[]>;
  /** @returns how many keys have this id */
  change(id: string, changes: Partial<KeyRecord>): Promise<number>;
};

type KeyRequest = Readonly<{ plan: Plan; account: string; id?: string; expiresAt?: string | undefined }>;

/** Makes a key and stores its hash. Only this function returns the key: it cannot be read from the store. */
export async function issueKey(store: KeyStore, { plan, account, id = randomId(), expiresAt }: KeyRequest) {
  const key = generateKey();
  await store.add(hashKey(key), {
    id,
    account,
    plan,
    status: 'active',
    createdAt: new Date().toISOString(),
    prefix: key.slice(0, KEY_PREFIX.length + 4),
    last4: key.slice(-4),
    ...(expiresAt !== undefined && { expiresAt }),
  });
  return key;
}

/** A stored record; `undefined` if fields are missing or unknown: such a key is invalid. */
export function parseKeyRecord(fields: Readonly<Record<string, string | undefined>>): KeyRecord | undefined {
  const { id, plan, status, expiresAt, replacedBy } = fields;
  const { account = '', createdAt = '', prefix = '', last4 = '' } = fields;
  if (id === undefined || !isPlan(plan) || (status !== 'active' && status !== 'revoked')) return undefined;
  // A key whose stored expiry is not a time counts as expired, not as valid forever.
  if (expiresAt !== undefined && Number.isNaN(Date.parse(expiresAt))) return undefined;
  const optional = {
    ...(expiresAt !== undefined && { expiresAt }),
    ...(replacedBy !== undefined && { replacedBy }),
  };
  return { id, account, plan, status, createdAt, prefix, last4, ...optional };
}

export function isValidKey({ status, expiresAt }: KeyRecord, now = Date.now()): boolean {
  return status === 'active' && (expiresAt === undefined || now < Date.parse(expiresAt));
}

export function randomId(): string {
  return randomBytes(6).toString('hex');
}
