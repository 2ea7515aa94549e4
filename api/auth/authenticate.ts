import { Problem, retryAfter } from '../http/problem.ts';
import { createCircuitBreaker } from '../ops/circuit-breaker.ts';
import { type Allowance, allowanceOf, type RequestCounter } from '../rate-limit/rate-limit.ts';
import { hashKey } from './api-key.ts';
import {
  type Anonymous,
  type Caller,
  type Credentials,
  callerFromRecord,
  parseAuthorization,
} from './caller.ts';
import type { KeyStore } from './key-store.ts';

/** Who asks, and what is left to them: known before anything else is looked at (D25). */
export type Authentication = { readonly who: Caller | Anonymous; readonly allowance: Allowance };

export type Authenticate = (authorization: string | undefined, address: string) => Promise<Authentication>;

/**
 * Reads the credentials and counts the request: with a valid key in the key's bucket, else in that of the client's
 * address (D29). Key and count of a caller travel in one round trip.
 */
export function createAuthenticator(keys: KeyStore, count: RequestCounter): Authenticate {
  const guarded = createCircuitBreaker();
  return async (authorization, address) => {
    const presented = parseAuthorization(authorization);
    try {
      return await guarded(async () => {
        return (await admitKey(presented, keys, count)) ?? (await admitAddress(presented, address, count));
      });
    } catch (cause) {
      // Never unmetered, never a guess: without the store nobody is let in (D30).
      throw new Problem('key_store_unavailable', 'API keys cannot be checked at the moment.', {
        headers: retryAfter(1000),
        cause,
      });
    }
  };
}

async function admitKey(
  presented: Credentials,
  keys: KeyStore,
  count: RequestCounter,
): Promise<Authentication | undefined> {
  if (presented.kind !== 'key') return undefined;
  const hash = hashKey(presented.key);
  const [record, counted] = await Promise.all([keys.find(hash), count(`key:${hash}`)]);
  const who = callerFromRecord(record);
  return who.kind === 'caller' ? { who, allowance: allowanceOf(counted, who.plan) } : undefined;
}

async function admitAddress(
  presented: Credentials,
  address: string,
  count: RequestCounter,
): Promise<Authentication> {
  const who: Anonymous = {
    kind: 'stranger',
    presented: presented.kind === 'nothing' ? 'nothing' : 'something',
  };
  return { who, allowance: allowanceOf(await count(`address:${address}`), 'none') };
}
