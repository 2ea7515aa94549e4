import { BlockList } from 'node:net';
import { CircuitBreaker } from '../ops/circuit-breakers.ts';
import { Problem } from '../problem.ts';
import { type Allowance, type Plan, type RequestCounter, toAllowance } from '../rate-limit/rate-limit.ts';
import { hashKey, parseAuthorization } from './api-key.ts';
import { isValidKey, type KeyStore } from './key-store.ts';

export type Identity = { readonly allowance: Allowance } & (
  | {
      readonly credentials: 'valid';
      /** Absent for a guest. */
      readonly keyId?: string;
      /** Who waits for a turn in the queue: the id of the key, or the address of a guest. */
      readonly turnOf: string;
    }
  | { readonly credentials: 'missing' | 'invalid' }
);

/** A hash and a bucket that belong to no key and no client. */
const CHECK = 'readyz';

export type Authenticator = ReturnType<typeof openAuthenticator>;

/** Counts a request in the bucket of its valid key, else of its address (D29). Requests that cannot be counted get 503 (D30). */
export function openAuthenticator(
  store: KeyStore,
  counter: RequestCounter,
  {
    guestPlan,
    trustedProxies = new BlockList(),
  }: { readonly guestPlan?: 'sandbox' | undefined; readonly trustedProxies?: BlockList } = {},
) {
  const [storeBreaker, counterBreaker] = [new CircuitBreaker(), new CircuitBreaker()];
  const find = (hash: string) => storeBreaker.run(() => store.find(hash));
  const count = async (bucket: string, plan: Plan | 'none') =>
    toAllowance(await counterBreaker.run(() => counter(bucket)), plan);

  async function identify(authorization: string | undefined, address: string): Promise<Identity> {
    const key = parseAuthorization(authorization ?? '');
    if (key !== undefined) {
      const hash = hashKey(key);
      const record = await find(hash);
      if (record !== undefined && isValidKey(record)) {
        const allowance = await count(`key:${hash}`, record.plan);
        return { credentials: 'valid', keyId: record.id, turnOf: record.id, allowance };
      }
    }
    // A client with a wrong key is not served as a guest, so that it learns that its key is wrong.
    const credentials = authorization === undefined ? 'missing' : 'invalid';
    if (credentials === 'missing' && guestPlan !== undefined) {
      const bucket = `guest:${address}`;
      return { credentials: 'valid', turnOf: bucket, allowance: await count(bucket, guestPlan) };
    }
    // An invalid key gets no bucket: forged keys cost no more than a lookup and a count by address.
    return { credentials, allowance: await count(`address:${address}`, 'none') };
  }

  return {
    /** The proxies whose `X-Forwarded-For` names the address of a client. */
    trustedProxies,
    authenticate: (authorization: string | undefined, address: string) =>
      identify(authorization, address).catch(refuse),
    /** Looks up a key and counts as for a request. Throws if a request would receive 503. */
    check: () => Promise.all([find(CHECK), count(CHECK, 'none')]).catch(refuse),
  };
}

function refuse(cause: unknown): never {
  throw new Problem('key_store_unavailable', 'API keys cannot be checked at the moment.', { cause });
}
