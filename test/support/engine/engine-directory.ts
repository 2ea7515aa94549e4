import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EngineRecord, readEngineFile } from '../../../clickhouse/embedded/engine-file.ts';
import { startTimeOf } from '../../../clickhouse/embedded/engine-process.ts';

/** What `DATA_DIR/engine.json` says, where it has to be there. */
export async function recordOf(dataDir: string): Promise<EngineRecord> {
  const record = await readEngineFile(dataDir);
  assert.ok(record, 'there is no engine.json');
  return record;
}

export async function fifosOf(dataDir: string): Promise<readonly string[]> {
  return (await readdir(dataDir)).filter((name) => name.endsWith('.fifo'));
}

/** Answers a statement as the user `default`. */
export async function ask(url: string, statement: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: statement });
  const answer = await response.text();
  assert.equal(response.status, 200, answer);
  return answer.trim();
}

export function isAlive(pid: number): boolean {
  return startTimeOf(pid) !== undefined;
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}
