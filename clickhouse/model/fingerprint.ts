import { hash } from 'node:crypto';
import type { Position } from './report.ts';

/**
 * The fingerprint of a report's body (D4): the same for one report however a source passes it on, with or without
 * its keyword, its correction mark, its closing `=` or `$`, its commas and its line breaks.
 *
 * It has to tell apart only the few reports of one station and minute, and stands twice in every stored row, where it
 * cannot be compressed: with 4 bytes, ten million such pairs in an archive collide once in 400 archives.
 *
 * @returns 8 lower-case hex digits: the first 4 bytes of the body's SHA-256
 */
export function fingerprint(raw: string): string {
  return hash('sha256', body(raw), 'hex').slice(0, 8);
}

/** The id of a record (D3): readable, URL-safe, and the same on every machine and from every source. */
export function recordId({ station, observedAt, fingerprint }: Position): string {
  const minute = new Date(observedAt * 1000).toISOString().replace(/[-T:]/g, '').slice(0, 12);
  return `${station}-${minute}-${fingerprint}`;
}

/** What `body` may have to change. Most reports have none of it. */
const UNTIDY = /[^ -~]|[a-z,=$]|^ | {2}| $|^METAR|^SPECI|COR/;

function body(raw: string): string {
  if (!UNTIDY.test(raw)) return raw.slice(0, 200);
  const text = raw.toUpperCase().replace(/[\s,]+/g, ' ');
  let end = text.length;
  while (end > 0 && '=$ '.includes(text.charAt(end - 1))) end -= 1;
  const tokens = text.slice(0, end).split(' ');
  const remarks = tokens.indexOf('RMK');
  const kept = tokens.filter(
    (token, at) => token !== '' && !(token === 'COR' && (remarks < 0 || at < remarks)),
  );
  while (kept[0] === 'METAR' || kept[0] === 'SPECI') kept.shift();
  return kept.join(' ').slice(0, 200);
}
