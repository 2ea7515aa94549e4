import { execFile, spawn, spawnSync } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { pythonFromPypi, pythonWithPandas, usesPypi } from './python.ts';

/** What a snippet imports. */
const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

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
  const list = ['-e', 'writeLines(.packages(all.available = TRUE))'];
  packagesOfR ??= `${spawnSync('Rscript', list).stdout ?? ''}`.split('\n');
  if (!packagesOfR.includes('base')) return 'R';
  const needed = [...code.matchAll(/(?<=library\()\w+|\w+(?=::)/g)].map(([name]) => name);
  return needed.find((name) => !packagesOfR?.includes(name));
}
let packagesOfR: readonly string[] | undefined;

const needsPolars = (code: string) => code.includes('import polars\n');

type Environment = Readonly<Record<string, string>>;

/** Runs a snippet in this folder. Throws when it fails; returns what it prints. */
export async function runSnippet(
  { language, code }: Snippet,
  folder: string,
  env: Environment,
  isFromPypi = needsPolars(code),
): Promise<string> {
  const run = async (program: string, ...args: readonly string[]) => {
    const options = { cwd: folder, env: { ...process.env, ...env }, timeout: 240_000 };
    return (await promisify(execFile)(program, args, options)).stdout;
  };
  switch (language) {
    case 'sh':
      return run('bash', '-euo', 'pipefail', '-c', code);
    case 'python': {
      const { program, libraries } = isFromPypi
        ? await pythonFromPypi()
        : { program: pythonWithPandas(), libraries: '' };
      const place = `import os, sys\nos.chdir(${JSON.stringify(folder)})\nsys.path.insert(0, os.getcwd())`;
      const begin = `${place}\nos.environ.update(${JSON.stringify(env)})\n`;
      return interpret(program, libraries, begin + code);
    }
    case 'r':
      return run('Rscript', '-e', code);
    case 'ts': {
      const file = join(folder, 'snippet.mts');
      await writeFile(file, code);
      await symlink(MODULES, join(folder, 'node_modules')).catch(() => {});
      return run(process.execPath, '--import', TSX, file);
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

/** Each line that it reads is a program; each that it writes says what that printed and whether it failed. */
const LOOP = `
import contextlib, io, json, sys, traceback
for line in sys.stdin:
    printed, failed = io.StringIO(), False
    with contextlib.redirect_stdout(printed):
        try:
            exec(json.loads(line), {"__name__": "__main__"})
        except BaseException:
            traceback.print_exc(file=printed)
            failed = True
    print(json.dumps([printed.getvalue(), failed]), flush=True)`;

const interpreters = new Map<string, { input: Writable; answers: AsyncIterator<string> }>();

/** One process runs all programs with the same libraries: pandas takes longer to import than any of them to run. */
async function interpret(program: string, libraries: string, code: string): Promise<string> {
  let interpreter = interpreters.get(libraries);
  if (interpreter === undefined) {
    const env = { ...process.env, PYTHONPATH: libraries, PYTHONDONTWRITEBYTECODE: '1' };
    const child = spawn(program, ['-c', LOOP], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    // It ends with this process.
    for (const handle of [child, child.stdout as Socket]) handle.unref();
    const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
    interpreter = { input: child.stdin, answers };
    interpreters.set(libraries, interpreter);
  }
  interpreter.input.write(`${JSON.stringify(code)}\n`);
  const [printed, failed] = JSON.parse(
    (await interpreter.answers.next()).value ?? '["Python has ended", true]',
  );
  if (failed) throw new Error(printed);
  return printed;
}
