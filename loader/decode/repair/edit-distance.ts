/** Whether one slip turns `token` into `word`: an extra, missing or wrong letter, or two transposed. */
export function isMisspelt(token: string, word: string): boolean {
  const difference = token.length - word.length;
  if (difference < -1 || difference > 1) return false;
  let at = 0;
  while (at < word.length && token[at] === word[at]) at++;
  if (difference === 1) return token.slice(at + 1) === word.slice(at);
  if (difference === -1) return token.slice(at) === word.slice(at + 1);
  if (token.slice(at + 1) === word.slice(at + 1)) return at < word.length;
  return (
    token[at] === word[at + 1] && token[at + 1] === word[at] && token.slice(at + 2) === word.slice(at + 2)
  );
}

const COVERS = ['FEW', 'SCT', 'BKN', 'OVC'] as const;

/** The amount that `letters` should have been; undefined if none or several are one slip away. */
export function coverFrom(letters: string): string | undefined {
  const covers = COVERS.filter((cover) => isMisspelt(letters, cover));
  return covers.length === 1 ? covers[0] : undefined;
}
