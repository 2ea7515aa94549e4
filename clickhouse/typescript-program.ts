import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

export function programArguments(file: URL): readonly string[] {
  return ['--import', TSX, fileURLToPath(file)];
}
