import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./program.js', import.meta.url));

/** The arguments of node that start a program. */
export function programArguments(file: URL): readonly string[] {
  return [PROGRAM, fileURLToPath(file)];
}
