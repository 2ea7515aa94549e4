import { execFile, spawnSync } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { pythonFromPypi, pythonWithPandas, usesPypi } from './python.ts';

/** What a snippet imports. */
const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** A block of code in a guide. */
export type Snippet = { readonly language: string; readonly code: string };

export function snippetsOf(markdown: string): readonly Snippet[] {
  return [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    code,
  }));
}

/** What this machine lacks to run the snippet; `undefined` where it can run. */
export function missingFor({ language, code }: Snippet): string | undefined {
  if (needsPolars(code)) return usesPypi ? undefined : 'polars';
  if (language !== 'r') return undefined;
  if (!has('Rscript', ['--version'])) return 'R';
  return modulesOf(code, /library\((\w+)\)|(\w+)::/g).find(
    (name) => !has('Rscript', ['-e', `library(${name})`]),
  );
}

const needsPolars = (code: string) => code.includes('import polars\n');

function modulesOf(code: string, pattern: RegExp): readonly string[] {
  return [...code.matchAll(pattern)].map(([, name, qualifier]) => name ?? qualifier ?? '');
}

/** Runs a snippet in this folder. Throws when it fails; returns what it prints. */
export async function runSnippet({ language, code }: Snippet, folder: string, key: string): Promise<string> {
  switch (language) {
    case 'sh':
      return run('bash', ['-euo', 'pipefail', '-c', code], folder, key);
    case 'python': {
      if (!needsPolars(code)) return run(pythonWithPandas(), ['-c', code], folder, key);
      const { program, libraries } = await pythonFromPypi();
      return run(program, ['-c', code], folder, key, { PYTHONPATH: libraries });
    }
    case 'r':
      return run('Rscript', ['-e', code], folder, key);
    case 'ts': {
      const file = join(folder, 'snippet.mts');
      await writeFile(file, code);
      await symlink(MODULES, join(folder, 'node_modules')).catch(() => {});
      const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
      return run(process.execPath, ['--import', tsx, file], folder, key);
    }
    case 'sql': {
      const connection = await (await DuckDBInstance.create()).connect();
      // DuckDB resolves file names against the folder of the process. Its extension for HTTP is not in its package: the same
      // files are read from the folder of the snapshot.
      const local = code
        .replace(/^(INSTALL|LOAD|CREATE SECRET) .*;\n/gm, '')
        .replace(/'http:[^']*\/v1\/history\/files\//g, `'${folder}/snapshot/`)
        .replaceAll("'reports.", `'${folder}/reports.`);
      const result = await connection.runAndReadAll(local);
      return JSON.stringify(result.getRowObjectsJson());
    }
  }
  throw new Error(`Nothing runs ${language}`);
}

async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  key: string,
  more = {},
): Promise<string> {
  const env = { ...process.env, KEY: key, ...more };
  const { stdout } = await promisify(execFile)(program, args, { cwd, env, timeout: 240_000 });
  return stdout;
}

function has(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
