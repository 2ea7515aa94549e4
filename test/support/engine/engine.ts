import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@clickhouse/client';
import { type EngineRecord, whoServes } from '../../../clickhouse/embedded/engine-socket.ts';
import type { joinEngine as Join, JoinedEngine } from '../../../clickhouse/embedded/join.ts';
import { atEndOfRun, compiledProgram, folderOfRun, isTestRun, newFolder } from '../test-run.ts';

/** The user `default` may do everything, in every database. */
export const OPEN_ENGINE = { database: 'history', adminPassword: '' } as const;

/** Joins an engine. In a run of tests the program of an engine is compiled, which takes half of the CPU time of a start. */
export const joinEngine: typeof Join = async (options) => {
  const source = 'clickhouse/embedded/join.ts';
  const join = await import(isTestRun() ? compiledProgram(source) : `../../../${source}`);
  return join.joinEngine(options);
};

/** The engine of a data directory, by default a new one, on a free port. */
export async function joinOpenEngine(dataDir = newFolder()): Promise<JoinedEngine> {
  return joinEngine({ ...OPEN_ENGINE, dataDir, port: await freePort() });
}

/** The engine of a data directory with the logins of api, loader and administrator. */
export async function joinEngineWithLogins(dataDir: string, adminPassword?: string): Promise<JoinedEngine> {
  return joinEngine({ dataDir, port: await freePort(), database: OPEN_ENGINE.database, adminPassword });
}

let shared: Promise<JoinedEngine> | undefined;

/**
 * The url of the one engine of a run of tests: every process of the run joins it when its first test needs it. Tests own
 * databases in it. A test that kills, freezes or counts what the whole engine does starts one by `joinOpenEngine`.
 */
export async function sharedEngine(): Promise<string> {
  shared ??= joinOpenEngine(join(folderOfRun(), 'engine')).then((engine) => {
    atEndOfRun(engine.leave);
    return engine;
  });
  return (await shared).url;
}

/** A new, empty database with a name of its own; its name is what `CLICKHOUSE_DATABASE` takes. */
export async function createTestDatabase(url: string): Promise<string> {
  const database = `test_${randomBytes(6).toString('hex')}`;
  const client = createClient({ url });
  try {
    await client.command({ query: `CREATE DATABASE ${database}` });
  } finally {
    await client.close();
  }
  return database;
}

/**
 * A port that nothing listens on. It is below those that the kernel gives to connections and to servers without a port of
 * their own: so none of them gets it before the caller listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

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
