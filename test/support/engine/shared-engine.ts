import { join } from 'node:path';
import { readEngineFile } from '../../../clickhouse/embedded/engine-file.ts';
import type { JoinedEngine } from '../../../clickhouse/embedded/join.ts';
import { joinOpenEngine } from './engine.ts';
import { until } from './engine-directory.ts';

let joined: Promise<JoinedEngine> | undefined;

/**
 * The url of the one engine of a run of tests: every process of the run joins it when its first test needs it. Tests own
 * databases in it. A test that kills, freezes or counts what the whole engine does starts one by `startTestEngine`.
 */
export async function sharedEngine(): Promise<string> {
  const { TEST_RUN_DIR: folder } = process.env;
  if (folder === undefined) throw new Error('test-run.ts has not prepared this run');
  joined ??= joinOpenEngine(join(folder, 'engine'));
  return (await joined).url;
}

/** Waits until the engine of the run has ended: all other processes of the run have, and so have left it. */
export async function leaveSharedEngine(folder: string): Promise<void> {
  await (await joined)?.leave();
  await until(async () => (await readEngineFile(join(folder, 'engine'))) === undefined);
}
