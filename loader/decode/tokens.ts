/**
 * The tokens of a report: the text between white space and equals signs. `=` ends a report (WMO-No. 386, part II), but
 * what follows it is kept so that nothing is lost, except one or two characters, which are not a group. Bulletins
 * contain control characters and no-break spaces, and some sources commas.
 */
export function tokensOf(raw: string): string[] {
  const tokens: string[] = [];
  const length = endOf(raw);
  let start = 0;
  for (let at = 0; at < length; at++) {
    if (!isSeparator(raw.charCodeAt(at))) continue;
    if (at > start) tokens.push(raw.substring(start, at));
    start = at + 1;
  }
  if (length > start) tokens.push(raw.substring(start, length));
  return tokens;
}

/** The end of the text without stray characters after the equals sign: `Q1011=05`, `8000 ='(`. */
function endOf(raw: string): number {
  const { length } = raw;
  const equals = raw.indexOf('=', length - LONGEST_REST - 1);
  return equals === -1 || raw[length - 1] === '$' ? length : equals;
}

const LONGEST_REST = 2;
const EQUALS = 61;
const COMMA = 44;
const NO_BREAK_SPACE = 160;

const isSeparator = (code: number): boolean =>
  code <= 32 || code === EQUALS || code === COMMA || code === NO_BREAK_SPACE;
