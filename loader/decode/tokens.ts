/**
 * The tokens of a report: the text between white space and equals signs. `=` ends a report (WMO-No. 386,
 * part II), yet what follows it is kept, so that nothing goes unseen. Bulletins bring control characters and
 * no-break spaces along, and some sources commas.
 */
export function tokensOf(raw: string): string[] {
  const tokens: string[] = [];
  const { length } = raw;
  let start = 0;
  for (let at = 0; at < length; at++) {
    if (!isSeparator(raw.charCodeAt(at))) continue;
    if (at > start) tokens.push(raw.substring(start, at));
    start = at + 1;
  }
  if (length > start) tokens.push(raw.substring(start));
  return tokens;
}

const EQUALS = 61;
const COMMA = 44;
const NO_BREAK_SPACE = 160;

const isSeparator = (code: number): boolean =>
  code <= 32 || code === EQUALS || code === COMMA || code === NO_BREAK_SPACE;
