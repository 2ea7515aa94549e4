import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { KEY_PREFIX } from '../ops/log.ts';

const RANDOM_BYTES = 32;
const KEY_FORMAT = new RegExp(`^${KEY_PREFIX}([A-Za-z0-9_-]{48})$`);

/** The prefix, then base64url of 32 random bytes and of their CRC-32, which finds a mistyped key without a look-up (D26). */
export function generateKey(): string {
  for (;;) {
    const random = randomBytes(RANDOM_BYTES);
    const key = KEY_PREFIX + Buffer.concat([random, checksum(random)]).toString('base64url');
    // A double click does not select a hyphen or an underscore at the end.
    if (/[A-Za-z0-9]$/.test(key)) return key;
  }
}

export function isWellFormedKey(text: string): boolean {
  const encoded = KEY_FORMAT.exec(text)?.[1];
  if (encoded === undefined) return false;
  const bytes = Buffer.from(encoded, 'base64url');
  return checksum(bytes.subarray(0, RANDOM_BYTES)).equals(bytes.subarray(RANDOM_BYTES));
}

/** The name under which a key is stored; the key itself is stored nowhere (D26). */
export function hashKey(key: string): string {
  return hash('sha256', key);
}

function checksum(bytes: Uint8Array): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum;
}

// RFC 6750, 2.1: the scheme is case-insensitive (RFC 9110, 11.1), the token is a b64token.
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

export function parseAuthorization(header: string): string | undefined {
  const key = BEARER.exec(header)?.[1];
  return key !== undefined && isWellFormedKey(key) ? key : undefined;
}
