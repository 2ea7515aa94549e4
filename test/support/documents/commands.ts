import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

/** The commands of a document that stand below `<!-- test: TITLE -->`. */
export function documentedCommands(document: string, title: string): string {
  const text = readFileSync(new URL(`../../../${document}`, import.meta.url), 'utf8');
  const [, after = assert.fail(`${document} has no commands of ${title}`)] = text.split(
    `<!-- test: ${title} -->\n`,
  );
  return /^```sh\n([\s\S]*?)^```$/m.exec(after)?.[1] ?? assert.fail(title);
}
