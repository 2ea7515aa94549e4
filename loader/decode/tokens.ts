// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to go
const SEPARATORS = /[\u0000-\u001f=,\u00a0]/;
const EVERY_SEPARATOR = new RegExp(SEPARATORS, 'g');

/**
 * The tokens of a report: what stands between white space and equals signs. `=` ends a report (WMO-No. 386,
 * part II), yet what follows it is kept, so that nothing goes unseen. Bulletins bring control characters and
 * no-break spaces along, and some sources commas.
 */
export function tokensOf(raw: string): string[] {
  const line = SEPARATORS.test(raw) ? raw.replace(EVERY_SEPARATOR, ' ') : raw;
  const tokens: string[] = [];
  let start = 0;
  while (start < line.length) {
    let end = line.indexOf(' ', start);
    if (end === -1) end = line.length;
    if (end > start) tokens.push(line.slice(start, end));
    start = end + 1;
  }
  return tokens;
}
