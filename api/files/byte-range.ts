/** The first and the last byte, from 0. */
export type ByteRange = { readonly start: number; readonly end: number };

/** What `Range` asks for (RFC 9110, 14.1.2). One that is not valid, or has several ranges, is ignored. */
export function parseRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header) ?? [];
  if (first === undefined || last === undefined || first + last === '') return undefined;
  // `-N`: the last N bytes, which are the whole file where it has no more.
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? Number.POSITIVE_INFINITY : Number(last);
  if (end < start) return undefined;
  return start < size ? { start, end: Math.min(end, size - 1) } : 'unsatisfiable';
}
