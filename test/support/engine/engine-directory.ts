import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EngineRecord, whoServes } from '../../../clickhouse/embedded/engine-socket.ts';

/** The engine that serves the directory now; undefined where none does, or it does not answer. */
export function engineOf(dataDir: string): Promise<EngineRecord | undefined> {
  return whoServes(dataDir, 5_000);
}

/** As `engineOf`, where one has to serve. */
export async function recordOf(dataDir: string): Promise<EngineRecord> {
  const record = await engineOf(dataDir);
  assert.ok(record, 'no engine serves');
  return record;
}

/** Answers a statement as the user `default`. */
export async function ask(url: string, statement: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: statement });
  const answer = await response.text();
  assert.equal(response.status, 200, answer);
  return answer.trim();
}

/** A process that has ended can stay in the list of processes until its parent asks for its exit code. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may hold anything.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has released its files once its last other thread ended.
    return state !== 'Z' || fields[16] !== '1';
  } catch {
    return false;
  }
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}
