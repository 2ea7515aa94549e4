/** Up to three names nearest to a mistyped one, nearest first; none if all are far. */
export function nearestNames(mistyped: string, names: Iterable<string>): readonly string[] {
  const text = mistyped.toLowerCase();
  const most = Math.max(1, Math.floor(text.length / 3));
  return [...names]
    .map((name) => ({
      name,
      distance: name.startsWith(`${text}_`) ? 0 : editDistance(text, name.toLowerCase()),
    }))
    .filter(({ distance }) => distance <= most)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/**
 * What to write in place of an unknown name.
 *
 * @param otherwise if no name is near: by default all names
 */
export function insteadOf(
  unknown: string,
  names: readonly string[],
  otherwise = `there are ${names.join(', ')}`,
): string {
  const nearest = nearestNames(unknown.slice(0, 64), names);
  return nearest.length > 0 ? `the nearest is ${nearest.join(' or ')}` : otherwise;
}

/** How many characters must be inserted, deleted or replaced (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, n) => n);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
