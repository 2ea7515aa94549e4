import { existsSync, readFileSync } from 'node:fs';

/** The limits of /proc/self/limits that the engine needs, and how to raise them. */
const LEAST_LIMITS = [
  // The engine opens about 100 at rest, and more with each part that it reads. Node and the connections need others.
  ['open files', 512, '`ulimit -n 4192` before the start, or LimitNOFILE'],
  // In bytes. ClickHouse cuts off a file at this limit without an error, and a part of a table can have 150 GiB.
  ['file size', 150 * 2 ** 30, '`ulimit -f unlimited` before the start, or LimitFSIZE'],
] as const;

/** @throws what to change, if this process may not open or write the files that the engine needs */
export function requireFileLimits(): void {
  for (const [name, least, remedy] of LEAST_LIMITS)
    if (limitOf(name) < least)
      throw new Error(
        `This process has the limit "${name}" ${limitOf(name)}, and the embedded ClickHouse needs at least ${least}: raise the limit, as by ${remedy} of its unit.`,
      );
}

/** How many files this process may open: the output of `ulimit -Hn`, to which Node raises it. Infinite if unknown. */
export const openFilesLimit = () => limitOf('open files');

function limitOf(name: string): number {
  const limits = existsSync('/proc/self/limits') ? readFileSync('/proc/self/limits', 'utf8') : '';
  return Number(new RegExp(`^Max ${name}\\s+(\\d+)`, 'm').exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
}
