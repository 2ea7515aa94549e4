import { Problem } from '../problem.ts';
import type { Allowance } from '../rate-limit/rate-limit.ts';

/** The holder of a valid key, or a guest. */
type Caller = {
  readonly kind: 'caller';
  /** Absent for a guest. */
  readonly keyId?: string;
  /** Whose turn it is: that of the key, or of the address of a guest. */
  readonly turnOf: string;
  readonly allowance: Allowance;
};

/** A client without a valid key. */
type Anonymous = {
  readonly kind: 'anonymous';
  readonly credentials: 'missing' | 'invalid';
  readonly allowance: Allowance;
};

export type Identity = Caller | Anonymous;

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
