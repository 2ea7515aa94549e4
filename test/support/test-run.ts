import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMPILER = fileURLToPath(new URL('../../clickhouse/program.js', import.meta.url));

const works: (() => Promise<unknown>)[] = [];

/** Mocha calls this once a run, in its first process: the processes that run test files side by side have ended. */
export async function mochaGlobalTeardown(): Promise<void> {
  const folder = folderOfRun();
  for (const work of works.splice(0)) await work();
  // The engine that the processes shared ends after the last of them.
  await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
}

/** Adds what the first process of a run has to do at its end; the other processes are ended. */
export function atEndOfRun(work: () => Promise<unknown>): void {
  works.push(work);
}

/** Whether mocha runs this process; it does not run commands, such as that of the faults. */
export function isTestRun(): boolean {
  return process.env.TEST_RUN_DIR !== undefined;
}

export function folderOfRun(): string {
  const { TEST_RUN_DIR } = process.env;
  if (TEST_RUN_DIR === undefined) throw new Error('Mocha has not begun this run: see reporter.ts');
  return TEST_RUN_DIR;
}

/** A new, empty folder, which is removed with all others at the end of the run. */
export function newFolder(): string {
  return mkdtempSync(join(folderOfRun(), 'folder-'));
}

let programs: string | undefined;

/** The file that a program of this repository is compiled into. */
export function compiledProgram(source: string): string {
  programs ??= execFileSync(process.execPath, [COMPILER], { encoding: 'utf8' }).trim();
  return join(programs, source.replace(/ts$/, 'mjs'));
}
