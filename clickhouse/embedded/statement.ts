/** What the HTTP interface has to know of a statement before the engine sees it. */
export type Statement = {
  /** The first word, upper case: SELECT, INSERT, CREATE, … */
  readonly verb: string;
  /** The format named in the text, of the answer or of the data that follows. */
  readonly format: string | undefined;
  /** The words at the outermost level, upper case. */
  readonly words: ReadonlySet<string>;
  /** For an INSERT that carries data: where the data begins, and where `FROM INFILE` would go. */
  readonly data: { readonly begin: number; readonly infile: number | undefined } | undefined;
  /** A second statement after a semicolon. */
  readonly several: boolean;
};

type Token = { readonly text: string; readonly word: string; readonly begin: number; readonly end: number };

// Blanks and comments; then quoted text, here-documents, words, numbers, anything else.
const token =
  /(?:\s+|--[^\n]*|#!?[ ][^\n]*|\/\*[\s\S]*?\*\/)+|'(?:[^'\\]|\\[\s\S]|'')*'?|"(?:[^"\\]|\\[\s\S]|"")*"?|`(?:[^`\\]|\\[\s\S]|``)*`?|\$(\w*)\$[\s\S]*?\$\1\$|[A-Za-z_]\w*|\d[\w.]*|[\s\S]/y;

/**
 * Reads a statement as far as needed: to its end, or to where the data of an INSERT begins. The text may be
 * the Latin-1 view of UTF-8 or binary bytes, so that positions are byte offsets: every keyword is ASCII.
 */
export function readStatement(text: string): Statement {
  const words = new Set<string>();
  const outer: Token[] = [];
  let depth = 0;
  let infile: number | undefined;
  let ended = false;
  let several = false;

  const describe = (format: string | undefined, dataBegin: number | undefined): Statement => ({
    verb: outer[0]?.word ?? '',
    format,
    words,
    data: dataBegin === undefined ? undefined : { begin: dataBegin, infile },
    several,
  });

  for (const next of tokens(text)) {
    if (ended) {
      several = true;
      break;
    }
    if (next.text === '(') depth++;
    else if (next.text === ')') depth--;
    else if (next.text === ';' && depth <= 0) ended = true;
    if (depth > 0 || (next.word === '' && next.text !== ')')) continue;
    const previous = outer.at(-1);
    outer.push(next);
    if (next.word === '') continue;
    words.add(next.word);
    if (outer[0]?.word !== 'INSERT' || previous?.word === 'INTO' || previous?.word === 'TABLE') continue;
    if (words.has('SELECT') || words.has('WITH')) {
      if (previous?.word === 'FORMAT') return describe(next.text, afterLineBreak(text, next.end));
      continue;
    }
    if (next.word === 'SETTINGS' || next.word === 'FORMAT' || next.word === 'VALUES') infile ??= next.begin;
    if (next.word === 'VALUES') return describe('Values', next.end);
    if (previous?.word === 'FORMAT') return describe(next.text, afterLineBreak(text, next.end));
  }
  return describe(outputFormat(outer), undefined);
}

function* tokens(text: string): Generator<Token> {
  token.lastIndex = 0;
  for (;;) {
    const begin = token.lastIndex;
    const found = token.exec(text)?.[0];
    if (found === undefined) return;
    const end = token.lastIndex;
    const isWord = /^[A-Za-z_]/.test(found);
    if (!/^(?:\s|--|#|\/\*)/.test(found)) {
      yield { text: found, word: isWord ? found.toUpperCase() : '', begin, end };
    }
    token.lastIndex = end;
  }
}

// `FORMAT name` counts where nothing but SETTINGS follows it: `format` is also a fine name for a column.
function outputFormat(outer: readonly Token[]): string | undefined {
  for (let i = outer.length - 2; i >= 0; i--) {
    const after = outer[i + 2];
    if (outer[i]?.word === 'FORMAT' && (after === undefined || after.word === 'SETTINGS')) {
      return outer[i + 1]?.text;
    }
  }
  return undefined;
}

// ClickHouse skips blanks up to and with one line feed between the name of the format and the data.
function afterLineBreak(text: string, from: number): number {
  const blanks = /[ \t\r]*\n?/y;
  blanks.lastIndex = from;
  blanks.exec(text);
  return blanks.lastIndex;
}
