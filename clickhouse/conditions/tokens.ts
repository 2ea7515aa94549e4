/** A mistake in the text of a condition. The message says where it is and what to write, after a parameter's name. */
export class ConditionError extends Error {
  override readonly name = 'ConditionError';
  readonly position: number;

  /** @param position of the character where the mistake begins, from 1 */
  constructor(position: number, detail: string) {
    super(`has a mistake at character ${position}: ${detail}`);
    this.position = position;
  }
}

export type Token = {
  readonly kind: 'number' | 'text' | 'name' | 'keyword' | 'symbol' | 'end';
  /** A keyword in upper case; the content of a text or of a quoted name. */
  readonly value: string;
  readonly written: string;
  /** Where it begins, from 1. */
  readonly position: number;
};

const KEYWORDS = new Set(['AND', 'OR', 'NOT', 'BETWEEN', 'IN', 'LIKE', 'IS', 'NULL', 'TRUE', 'FALSE']);

/** A name can be a call: `crosswind(40;gust)`. */
const TOKEN =
  /(?<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))|'(?<text>(?:''|\\'|[^'])*)'|"(?<quoted>\w+)"|(?<name>(?:cross|head|tail)wind\w*\([^()']*\)|[A-Za-z_]\w*)|(?<symbol><>|<=|>=|[<>=(),])/uy;

/** @throws {ConditionError} at a character that cannot begin a token */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const positionAt = (index: number) => [...text.slice(0, index)].length + 1;
  for (let at = skipBlanks(text, 0); at < text.length; at = skipBlanks(text, TOKEN.lastIndex)) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) throw new ConditionError(positionAt(at), hintAt(text, at));
    tokens.push({ ...toToken(match.groups ?? {}), written: match[0], position: positionAt(at) });
  }
  return [...tokens, { kind: 'end', value: '', written: '', position: positionAt(text.length) }];
}

function toToken({ number, text, quoted, name, symbol }: Record<string, string | undefined>) {
  if (number !== undefined) return { kind: 'number', value: number } as const;
  if (text !== undefined) return { kind: 'text', value: text.replace(/''|\\'/g, "'") } as const;
  if (quoted !== undefined) return { kind: 'name', value: quoted } as const;
  if (symbol !== undefined) return { kind: 'symbol', value: symbol } as const;
  const keyword = name?.toUpperCase() ?? '';
  if (KEYWORDS.has(keyword)) return { kind: 'keyword', value: keyword } as const;
  return { kind: 'name', value: name ?? '' } as const;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (' \t\n\r'.includes(text[at] ?? '?')) at += 1;
  return at;
}

function hintAt(text: string, at: number): string {
  const rest = text.slice(at);
  if (rest.startsWith("'")) return "this text has no end: close it with '; write a quote inside it twice";
  if (rest.startsWith('"')) return "text stands in single quotes: 'TS'; a name needs none";
  if (rest.startsWith('!')) return 'write <> for not equal, and NOT before a condition';
  if (/^[&|]/.test(rest)) return 'write AND or OR between conditions';
  if (/^[+-]?[.\d]/.test(rest)) return 'this is not a number: write it as 800, -2.5 or 1e3';
  const [character = ''] = rest;
  return `${JSON.stringify(character)} has no meaning here`;
}
