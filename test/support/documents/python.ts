import { spawnSync } from 'node:child_process';

/** The modules that recipes of the guides import, and their packages. */
const MODULES = ['pandas', 'requests'];
const CANDIDATES = ['python3', '/usr/bin/python3'];

const found = new Map<string, string>();

/** A python3 with pandas: that of the path, or that of the system. Tests that need it fail without one. */
export const pythonWithPandas = (): string => pythonWith(MODULES);

export function pythonWith(modules: readonly string[]): string {
  const known = found.get(modules.join());
  if (known !== undefined) return known;
  const program = CANDIDATES.find((candidate) => canImport(candidate, modules));
  if (program === undefined)
    throw new Error(
      `No python3 has ${modules.join(' and ')}. On Debian: apt-get install -y ${modules.map((name) => `python3-${name}`).join(' ')}`,
    );
  found.set(modules.join(), program);
  return program;
}

function canImport(program: string, modules: readonly string[]): boolean {
  return spawnSync(program, ['-c', `import ${modules.join(', ')}`], { stdio: 'ignore' }).status === 0;
}
