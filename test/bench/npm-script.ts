import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The arguments of `node` in a script of package.json: a benchmark measures the program as its users start it. */
export async function nodeArguments(script: 'start' | 'load'): Promise<readonly string[]> {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  return scripts[script].split(' ').slice(1);
}
