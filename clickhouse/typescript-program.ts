import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** Arguments of `node` that run a TypeScript file of this repository. */
export function programArguments(file: URL): readonly string[] {
  return ['--import', TSX, fileURLToPath(file)];
}
