import { readFileSync } from 'node:fs';

/** The codes of a file, by white space, commas and lines; `#` begins a comment. Adds to `mistakes` when it cannot be read. */
export function readStationFile(option: string, path: string, mistakes: string[]): readonly string[] {
  try {
    const text = readFileSync(path, 'utf8').replace(/#.*/g, '');
    const codes = [...new Set(text.split(/[\s,]+/).filter((code) => code !== ''))];
    if (codes.length === 0) mistakes.push(`--${option} names ${path}, which holds no stations`);
    return codes;
  } catch (error) {
    mistakes.push(
      `--${option} names ${JSON.stringify(path)}, which cannot be read: ${(error as Error).message}`,
    );
    return [];
  }
}
