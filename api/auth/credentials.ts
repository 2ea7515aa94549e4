import { isWellFormedKey } from './api-key.ts';

/** The content of an `Authorization` header: a well-formed key, something else, or nothing. */
export type Credentials =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'missing' };

// RFC 6750, 2.1: the scheme is case-insensitive (RFC 9110, 11.1), the token is a b64token.
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

export function parseAuthorization(header: string | undefined): Credentials {
  if (header === undefined) return { kind: 'missing' };
  const key = BEARER.exec(header)?.[1];
  return key !== undefined && isWellFormedKey(key) ? { kind: 'key', key } : { kind: 'invalid' };
}
