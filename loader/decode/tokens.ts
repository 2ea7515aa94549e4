/**
 * The tokens of a report: what stands between white space and equals signs. `=` ends a report (WMO-No. 386,
 * part II), yet what follows it is kept, so that nothing goes unseen. Bulletins bring control characters and
 * no-break spaces along, and some sources commas.
 */
export function tokensOf(raw: string): string[] {
  const tokens: string[] = [];
  const { length } = raw;
  let start = -1;
  for (let at = 0; at < length; at++) {
    const code = raw.charCodeAt(at);
    if (code > 32 && code !== 61 && code !== 44 && code !== 160) {
      if (start === -1) start = at;
    } else if (start !== -1) {
      tokens.push(raw.slice(start, at));
      start = -1;
    }
  }
  if (start !== -1) tokens.push(raw.slice(start));
  return tokens;
}
