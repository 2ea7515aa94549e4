import type { PatternPart } from './condition.ts';

/**
 * The parts of a pattern of LIKE: `%` is any number of characters, `_` is one, `\` takes the next character as it is.
 * `undefined` where nothing follows the last `\`. Two ways to write one pattern give the same parts.
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

/** The pattern as text: what `patternOf` reads, and ClickHouse too. */
export function formatPattern(parts: readonly PatternPart[]): string {
  return parts
    .map((part) => {
      if (part === 'any') return '%';
      return part === 'one' ? '_' : part.text.replace(/[%_\\]/g, '\\$&');
    })
    .join('');
}
