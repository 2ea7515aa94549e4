import { Problem } from '../http/problem.ts';
import type { Plan } from '../rate-limit/plans.ts';
import { isWellFormedKey } from './api-key.ts';
import type { KeyRecord } from './key-store.ts';

/** Who holds a valid key. Only this file can make one, so whoever is handed a `Caller` need not check again. */
export type Caller = {
  readonly kind: 'caller';
  readonly keyId: string;
  readonly account: string;
  readonly plan: Plan;
  readonly [authenticated]: true;
};
declare const authenticated: unique symbol;

/** Who does not. */
export type Anonymous = { readonly kind: 'stranger'; readonly presented: 'nothing' | 'something' };

/** What an `Authorization` header presents: a key that is worth a look-up, something else, or nothing. */
export type Credentials =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'something' }
  | { readonly kind: 'nothing' };

// RFC 6750, 2.1: the scheme is case-insensitive (RFC 9110, 11.1), the token is a b64token.
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

export function parseAuthorization(header: string | undefined): Credentials {
  if (header === undefined) return { kind: 'nothing' };
  const key = BEARER.exec(header)?.[1];
  return key !== undefined && isWellFormedKey(key) ? { kind: 'key', key } : { kind: 'something' };
}

export function callerFromRecord(record: KeyRecord | undefined): Caller | Anonymous {
  if (record?.status !== 'active') return { kind: 'stranger', presented: 'something' };
  const { id: keyId, account, plan } = record;
  return { kind: 'caller', keyId, account, plan } as Caller;
}

/** Lets callers through. Unknown, malformed and revoked keys get one and the same answer (D24). */
export function requireCaller(who: Caller | Anonymous): Caller {
  if (who.kind === 'caller') return who;
  if (who.presented === 'nothing')
    throw new Problem('missing_credentials', 'Send your API key: Authorization: Bearer <API_KEY>.', {
      headers: { 'WWW-Authenticate': 'Bearer realm="history"' },
    });
  throw new Problem('invalid_credentials', 'This API key is not valid.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="history", error="invalid_token"' },
  });
}
