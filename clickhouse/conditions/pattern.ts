import type { PatternPart } from './condition.ts';

/**
 * The parts of a pattern of LIKE: `%` is any number of characters, `_` is one, `\` escapes the next character.
 * `undefined` if nothing follows the last `\`. Two spellings of one pattern give the same parts.
 */
export function patternOf(text: string): readonly PatternPart[] | undefined {
  const parts: PatternPart[] = [];
  const characters = [...text];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at];
    const last = parts.at(-1);
    if (character === '_') parts.push('one');
    else if (character === '%') {
      if (last !== 'any') parts.push('any');
    } else {
      if (character === '\\') at += 1;
      const taken = characters[at];
      if (taken === undefined) return undefined;
      if (typeof last === 'object') parts[parts.length - 1] = { text: last.text + taken };
      else parts.push({ text: taken });
    }
  }
  return parts;
}

/** The pattern as text, for `patternOf` and ClickHouse. */
export function formatPattern(parts: readonly PatternPart[]): string {
  return parts
    .map((part) => {
      if (part === 'any') return '%';
      return part === 'one' ? '_' : part.text.replace(/[%_\\]/g, '\\$&');
    })
    .join('');
}
