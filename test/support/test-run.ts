import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endRun } from './end-of-run.ts';
import { removeCompiledPrograms } from './programs/compiled-program.ts';

/**
 * Mocha calls these once a run, in its first process. The processes that run test files side by side inherit the
 * environment, and have ended before the teardown.
 */
export async function mochaGlobalSetup(): Promise<void> {
  process.env.TEST_RUN_DIR = await mkdtemp(join(tmpdir(), 'test-run-'));
}

export async function mochaGlobalTeardown(): Promise<void> {
  const { TEST_RUN_DIR: folder = '' } = process.env;
  await endRun();
  // The engine that the processes shared ends after the last of them.
  await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
  await removeCompiledPrograms();
}
