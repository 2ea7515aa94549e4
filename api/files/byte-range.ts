/** The first and the last byte, from 0. */
export type ByteRange = { readonly start: number; readonly end: number };

/** The range that `Range` requests (RFC 9110, 14.1.2). A header that is not valid or has several ranges is ignored. */
export function parseRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header) ?? [];
  if (first === undefined || last === undefined || first + last === '') return undefined;
  // `-N` requests the last N bytes: the whole file, if it has no more than N.
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? Number.POSITIVE_INFINITY : Number(last);
  if (end < start) return undefined;
  return start < size ? { start, end: Math.min(end, size - 1) } : 'unsatisfiable';
}
