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
  /** A clause by which the engine would read or write a file of the machine. */
  readonly file: 'INTO OUTFILE' | 'FROM INFILE' | undefined;
  /** A second statement after a semicolon. */
  readonly several: boolean;
};

type Token = { readonly text: string; readonly word: string; readonly begin: number; readonly end: number };

// Blanks and comments; then quoted text, here-documents, words, numbers, anything else.
const pattern =
  /(?:\s+|--[^\n]*|#!?[ ][^\n]*|\/\*[\s\S]*?\*\/)+|'(?:[^'\\]|\\[\s\S]|'')*'?|"(?:[^"\\]|\\[\s\S]|"")*"?|`(?:[^`\\]|\\[\s\S]|``)*`?|\$(\w*)\$[\s\S]*?\$\1\$|[A-Za-z_]\w*|\d[\w.]*|[\s\S]/y;

/**
 * Reads a statement as far as needed: to its end, or to where the data of an INSERT begins. The text may be
 * the Latin-1 view of UTF-8 or binary bytes, so that positions are byte offsets: every keyword is ASCII.
 */
export function readStatement(text: string): Statement {
  const words = new Set<string>();
  let verb = '';
  let format: string | undefined;
  let infile: number | undefined;
  let file: Statement['file'];
  let several = false;
  let depth = 0;
  let previous: Token = { text: '', word: '', begin: 0, end: 0 };

  for (const token of tokens(text)) {
    if (depth <= 0 && previous.text === ';') {
      several = true;
      break;
    }
    if (previous.end === 0) verb = token.word;
    if (token.text === '(') depth++;
    if (token.text === ')') depth--;
    if (depth > 0 || token.text === ')') {
      previous = token;
      continue;
    }
    // A table may be named like a keyword.
    const isName = previous.text === '.' || (verb === 'INSERT' && namesTable(previous.word, token.word));
    const word = isName ? '' : token.word;
    if (word !== '') words.add(word);
    if (word === 'OUTFILE' && previous.word === 'INTO') file = 'INTO OUTFILE';
    if (word === 'INFILE' && previous.word === 'FROM') file = 'FROM INFILE';
    const namesFormat = previous.word === 'FORMAT' && word !== '';
    // The format of an answer ends the statement, or has only settings behind it; of data it ends the text.
    if (namesFormat) format = token.text;
    else if (!words.has('SETTINGS') && token.text !== ';') format = undefined;
    if (verb === 'INSERT') {
      const so = { verb, format, words, file, several };
      const fromQuery = words.has('SELECT') || words.has('WITH');
      if (!fromQuery && /^(?:SETTINGS|FORMAT|VALUES)$/.test(word)) infile ??= token.begin;
      if (!fromQuery && word === 'VALUES') {
        return { ...so, format: 'Values', data: { begin: token.end, infile } };
      }
      if (namesFormat) return { ...so, data: { begin: afterLineBreak(text, token.end), infile } };
    }
    previous = { ...token, word };
  }
  return { verb, format, words, file, several, data: undefined };
}

function namesTable(previous: string, word: string): boolean {
  return previous === 'TABLE' || (previous === 'INTO' && word !== 'TABLE' && word !== 'FUNCTION');
}

function* tokens(text: string): Generator<Token> {
  pattern.lastIndex = 0;
  for (;;) {
    const begin = pattern.lastIndex;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) return;
    const end = pattern.lastIndex;
    const isWord = /^[A-Za-z_]/.test(found);
    if (!/^(?:\s|--|#|\/\*)/.test(found)) {
      yield { text: found, word: isWord ? found.toUpperCase() : '', begin, end };
    }
    pattern.lastIndex = end;
  }
}

// ClickHouse skips blanks up to and with one line feed between the name of the format and the data.
function afterLineBreak(text: string, from: number): number {
  const blanks = /[ \t\r]*\n?/y;
  blanks.lastIndex = from;
  blanks.exec(text);
  return blanks.lastIndex;
}
