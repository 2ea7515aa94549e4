import { join } from 'node:path';
import type { JoinedEngine } from '../../../clickhouse/embedded/join.ts';
import { atEndOfRun } from '../end-of-run.ts';
import { joinOpenEngine } from './engine.ts';

let joined: Promise<JoinedEngine> | undefined;

/**
 * The url of the one engine of a run of tests: every process of the run joins it when its first test needs it. Tests own
 * databases in it. A test that kills, freezes or counts what the whole engine does starts one by `startTestEngine`.
 */
export async function sharedEngine(): Promise<string> {
  joined ??= joinEngineOfRun();
  return (await joined).url;
}

async function joinEngineOfRun(): Promise<JoinedEngine> {
  const { TEST_RUN_DIR: folder } = process.env;
  if (folder === undefined) throw new Error('test-run.ts has not prepared this run');
  const engine = await joinOpenEngine(join(folder, 'engine'));
  atEndOfRun(engine.leave);
  return engine;
}
