import { hash } from 'node:crypto';

/**
 * The fingerprint of the body of a report (D4): the same whether a source sends the report with or without its keyword,
 * its correction mark, its closing `=` or `$`, its commas and its line breaks.
 *
 * It has to distinguish only the few reports of one station and minute. It is stored twice for every row and cannot be
 * compressed, so it has 4 bytes: with ten million such pairs, one archive in 400 has a collision.
 *
 * @returns 8 lower-case hex digits: the first 4 bytes of the body's SHA-256
 */
export function fingerprint(raw: string): string {
  return hash('sha256', body(raw), 'hex').slice(0, 8);
}

/** What `body` changes. Most reports contain none of it. */
const TO_NORMALIZE = /[^ -~]|[a-z,=$]|^ | {2}| $|^METAR|^SPECI|COR/;

function body(raw: string): string {
  if (!TO_NORMALIZE.test(raw)) return raw.slice(0, 200);
  const text = raw.toUpperCase().replace(/[\s,]+/g, ' ');
  let end = text.length;
  while (end > 0 && '=$ '.includes(text.charAt(end - 1))) end -= 1;
  const tokens = text.slice(0, end).split(' ');
  const remarks = tokens.indexOf('RMK');
  const bodyTokens = tokens.filter(
    (token, at) => token !== '' && !(token === 'COR' && (remarks < 0 || at < remarks)),
  );
  while (bodyTokens[0] === 'METAR' || bodyTokens[0] === 'SPECI') bodyTokens.shift();
  return bodyTokens.join(' ').slice(0, 200);
}
