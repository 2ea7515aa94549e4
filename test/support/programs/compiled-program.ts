import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const COMPILER = fileURLToPath(new URL('./compile-programs.ts', import.meta.url));

/** Whether mocha runs this process; not so the commands, such as that of the faults. */
export function isTestRun(): boolean {
  return process.env.TEST_RUN_DIR !== undefined;
}

/** The file that a program of this repository is compiled into: once a run of tests, when it is first needed. */
export function compiledProgram(source: string): string {
  const folder = folderOfRun();
  if (!existsSync(folder))
    execFileSync(process.execPath, ['--import', 'tsx', COMPILER, folder], { cwd: ROOT });
  return join(folder, source.replace(/ts$/, 'mjs'));
}

export async function removeCompiledPrograms(): Promise<void> {
  await rm(folderOfRun(), { recursive: true, force: true });
}

/** Below the repository, so that the programs find their packages. */
function folderOfRun(): string {
  const { TEST_RUN_DIR } = process.env;
  if (TEST_RUN_DIR === undefined) throw new Error('test-run.ts has not prepared this run');
  return join(ROOT, 'node_modules/.cache', basename(TEST_RUN_DIR));
}
