import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { atEndOfRun } from '../test-run.ts';

/** The modules that recipes of the guides import, and their packages. */
const MODULES = ['pandas', 'requests'];
const CANDIDATES = ['python3', '/usr/bin/python3'];

const found = new Map<string, string>();

/** A python3 with pandas: that of the path, or that of the system. Tests that need it fail without one. */
export const pythonWithPandas = (): string => pythonWith(MODULES);

function pythonWith(modules: readonly string[]): string {
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

/** A python3 that builds and installs a package without the network, where there is one. */
export const pythonThatBuilds = (): string | undefined =>
  CANDIDATES.find((candidate) => canImport(candidate, ['setuptools', 'wheel', 'pip']));

/** They are large, and PyPI alone has them: `npm run test:python` installs them. */
const FROM_PYPI = ['pandas==3.0.6', 'polars==1.44.2', 'pyarrow==25.0.1'];
export const usesPypi = process.env.TEST_PYPI !== undefined;

let installed: Promise<{ readonly program: string; readonly libraries: string }> | undefined;

/** A python3, and the folder with pandas, polars and pyarrow for it. */
export function pythonFromPypi(): NonNullable<typeof installed> {
  installed ??= install();
  return installed;
}

async function install(): NonNullable<typeof installed> {
  const program = pythonWith(['pip']);
  const libraries = await mkdtemp(join(tmpdir(), 'python-libraries-'));
  atEndOfRun(() => rm(libraries, { recursive: true, force: true }));
  const options = ['-m', 'pip', 'install', '--quiet', '--target', libraries];
  await promisify(execFile)(program, [...options, ...FROM_PYPI]);
  return { program, libraries };
}

function canImport(program: string, modules: readonly string[]): boolean {
  return spawnSync(program, ['-c', `import ${modules.join(', ')}`], { stdio: 'ignore' }).status === 0;
}
