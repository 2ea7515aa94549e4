/** Writes a number as a varint (unsigned LEB128) from `begin` on, and returns where it ends. */
export function writeVarint(to: Uint8Array, begin: number, length: number): number {
  let at = begin;
  let rest = length;
  for (; rest >= 0x80; rest >>>= 7) to[at++] = (rest & 0x7f) | 0x80;
  to[at++] = rest;
  return at;
}
