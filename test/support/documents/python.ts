import { spawnSync } from 'node:child_process';

/** The modules that recipes of the guides import, and their packages. */
const MODULES = ['pandas', 'requests'];
const CANDIDATES = ['python3', '/usr/bin/python3'];

let found: string | undefined;

/** A python3 with pandas: that of the path, or that of the system. Tests that need it fail without one. */
export function pythonWithPandas(): string {
  found ??= CANDIDATES.find((program) => canImport(program, MODULES));
  if (found === undefined)
    throw new Error(
      `No python3 has ${MODULES.join(' and ')}. On Debian: apt-get install -y ${MODULES.map((name) => `python3-${name}`).join(' ')}`,
    );
  return found;
}

function canImport(program: string, modules: readonly string[]): boolean {
  return spawnSync(program, ['-c', `import ${modules.join(', ')}`], { stdio: 'ignore' }).status === 0;
}
