import { breaker } from './breaker.ts';
import { type Caller, callerOf, type Presented, readAuthorization, type Stranger } from './caller.ts';
import { hashOfKey } from './key.ts';
import type { KeyStore } from './keys.ts';
import { Problem, retryAfter } from './problem.ts';
import { type Allowance, allowanceOf, type Counter } from './ratelimit.ts';

/** Who asks, and what is left to them: known before anything else is looked at (D25). */
export type Admission = { readonly who: Caller | Stranger; readonly allowance: Allowance };

export type Admit = (authorization: string | undefined, address: string) => Promise<Admission>;

/**
 * Reads the credentials and counts the request: with a valid key in the key's bucket, else in that of the client's
 * address (D29). Key and count of a caller travel in one round trip.
 */
export function admission(keys: KeyStore, count: Counter): Admit {
  const guarded = breaker();
  return async (authorization, address) => {
    const presented = readAuthorization(authorization);
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
  presented: Presented,
  keys: KeyStore,
  count: Counter,
): Promise<Admission | undefined> {
  if (presented.kind !== 'key') return undefined;
  const hash = hashOfKey(presented.key);
  const [record, counted] = await Promise.all([keys.find(hash), count(`key:${hash}`)]);
  const who = callerOf(record);
  return who.kind === 'caller' ? { who, allowance: allowanceOf(counted, who.plan) } : undefined;
}

async function admitAddress(presented: Presented, address: string, count: Counter): Promise<Admission> {
  const who: Stranger = {
    kind: 'stranger',
    presented: presented.kind === 'nothing' ? 'nothing' : 'something',
  };
  return { who, allowance: allowanceOf(await count(`address:${address}`), 'none') };
}
