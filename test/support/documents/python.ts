import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { atEndOfRun } from '../test-run.ts';

/** The python3 of the path, or that of the system, whichever has these modules. */
export const pythonWith = (...modules: readonly string[]): string | undefined =>
  ['python3', '/usr/bin/python3'].find((candidate) => {
    const code = 'import importlib.util, sys; sys.exit(None in map(importlib.util.find_spec, sys.argv[1:]))';
    return spawnSync(candidate, ['-c', code, ...modules], { stdio: 'ignore' }).status === 0;
  });

let withPandas: string | undefined;

/** Tests that need it fail without one. */
export function pythonWithPandas(): string {
  withPandas ??= pythonWith('pandas', 'requests');
  if (withPandas !== undefined) return withPandas;
  throw new Error(
    'No python3 has the modules. On Debian: apt-get install -y python3-pandas python3-requests',
  );
}

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
  const program = pythonWith('pip');
  if (program === undefined) throw new Error('No python3 has pip. On Debian: apt-get install -y python3-pip');
  const libraries = await mkdtemp(join(tmpdir(), 'python-libraries-'));
  atEndOfRun(() => rm(libraries, { recursive: true, force: true }));
  const options = ['-m', 'pip', 'install', '--quiet', '--target', libraries];
  await promisify(execFile)(program, [...options, ...FROM_PYPI]);
  return { program, libraries };
}
