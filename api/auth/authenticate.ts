import { createCircuitBreaker } from '../ops/circuit-breaker.ts';
import { Problem, retryAfter } from '../problem.ts';
import { type Allowance, type RequestCounter, toAllowance } from '../rate-limit/rate-limit.ts';
import { hashKey } from './api-key.ts';
import { type Credentials, parseAuthorization } from './credentials.ts';
import { isValidKey, type KeyStore } from './key-store.ts';

/** The holder of a valid key. Only this file can create one, so a function that takes a `Caller` need not check it. */
type Caller = {
  readonly kind: 'caller';
  /** Absent for a guest. */
  readonly keyId?: string;
  /** Whose turn it is: that of the key, or of the address of a guest. */
  readonly turnOf: string;
  readonly allowance: Allowance;
  readonly [authenticated]: true;
};
declare const authenticated: unique symbol;

/** A client without a valid key. */
type Anonymous = {
  readonly kind: 'anonymous';
  readonly credentials: 'missing' | 'invalid';
  readonly allowance: Allowance;
};

export type Identity = Caller | Anonymous;

export type Authenticate = (authorization: string | undefined, address: string) => Promise<Identity>;

type Authenticator = {
  readonly authenticate: Authenticate;
  /** Looks up a key and counts as for a request. Throws if a request would receive 503. */
  check(): Promise<void>;
};

/** Does not name any key or client. */
const CHECK = 'readyz';

/**
 * Identifies the client and counts its request: in the bucket of a valid key, else in the bucket of the client's
 * address (D29). If the counter is down, no request is served; if the key store is down, none with a key is: no request
 * goes uncounted (D30).
 */
export function createAuthenticator(
  store: KeyStore,
  counter: RequestCounter,
  guestPlan?: 'sandbox',
): Authenticator {
  const [storeBreaker, counterBreaker] = [createCircuitBreaker(), createCircuitBreaker()];
  const find: KeyStore['find'] = (hash) => storeBreaker(() => store.find(hash));
  const count: RequestCounter = (bucket) => counterBreaker(() => counter(bucket));
  return {
    async authenticate(authorization, address) {
      const credentials = parseAuthorization(authorization);
      try {
        return (
          (await authenticateKey(credentials, find, count)) ??
          (await admitGuest(credentials, address, guestPlan, count)) ??
          (await countAnonymous(credentials, address, count))
        );
      } catch (cause) {
        throw new Problem('key_store_unavailable', 'API keys cannot be checked at the moment.', {
          headers: retryAfter(1000),
          cause,
        });
      }
    },
    async check() {
      await Promise.all([find(CHECK), count(CHECK)]);
    },
  };
}

/** Unknown, malformed and revoked keys get the same response (D24). */
export function requireCaller(identity: Identity): Caller {
  if (identity.kind === 'caller') return identity;
  if (identity.credentials === 'missing')
    throw new Problem('missing_credentials', 'Send your API key: Authorization: Bearer <API_KEY>.', {
      headers: { 'WWW-Authenticate': 'Bearer realm="history"' },
    });
  throw new Problem('invalid_credentials', 'This API key is not valid.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="history", error="invalid_token"' },
  });
}

async function authenticateKey(
  credentials: Credentials,
  find: KeyStore['find'],
  count: RequestCounter,
): Promise<Caller | undefined> {
  if (credentials.kind !== 'key') return undefined;
  const hash = hashKey(credentials.key);
  const record = await find(hash);
  // An invalid key gets no bucket: forged keys cost no more than this lookup and a count by address.
  if (record === undefined || !isValidKey(record)) return undefined;
  const allowance = toAllowance(await count(`key:${hash}`), record.plan);
  return { kind: 'caller', keyId: record.id, turnOf: record.id, allowance } as Caller;
}

/** Admits clients without a key if the operator allows guests. A wrong key makes no guest: its owner should know. */
async function admitGuest(
  { kind }: Credentials,
  address: string,
  plan: 'sandbox' | undefined,
  count: RequestCounter,
): Promise<Caller | undefined> {
  if (kind !== 'missing' || plan === undefined) return undefined;
  const bucket = `guest:${address}`;
  return { kind: 'caller', turnOf: bucket, allowance: toAllowance(await count(bucket), plan) } as Caller;
}

async function countAnonymous(
  { kind }: Credentials,
  address: string,
  count: RequestCounter,
): Promise<Anonymous> {
  const allowance = toAllowance(await count(`address:${address}`), 'none');
  return { kind: 'anonymous', credentials: kind === 'missing' ? 'missing' : 'invalid', allowance };
}
