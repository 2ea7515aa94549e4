import { readFileSync } from 'node:fs';

/** The engine has about 100 files open at rest, and more with each part that it reads. Node and the connections need others. */
const MIN_OPEN_FILES = 512;

/** @throws what to change, if this process may not open the files that the engine needs */
export function requireOpenFiles(limit = openFilesLimit()): void {
  if (limit >= MIN_OPEN_FILES) return;
  throw new Error(
    `This process may open ${limit} files, and the embedded ClickHouse needs at least ${MIN_OPEN_FILES}: raise the limit, as by \`ulimit -n 4192\` before the start, or LimitNOFILE of its unit.`,
  );
}

/** The limit of this process: the output of `ulimit -Hn`, to which Node raises it. Infinite if unknown. */
export function openFilesLimit(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return Number(limit ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
