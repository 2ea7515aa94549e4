import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEngineFile, readOlderRecord } from './engine-file.ts';
import { endProcess, isRunning } from './engine-process.ts';
import { canLogIn } from './listener.ts';
import { fifoPath, hasMembers, openMembership } from './membership-fifo.ts';
import { type EngineOptions, type Membership, startEngine } from './start.ts';
import { readUsers } from './users.ts';

/** How long an engine may take to open its directory, or to release it. A frozen one is ended after a minute. */
const BUSY_MILLISECONDS = 120_000;
const LEAVE_MILLISECONDS = 3_000;

/** Becomes a member of the engine of `dataDir`, of a new one where none serves it. */
export async function findOrStart(options: EngineOptions): Promise<Membership> {
  const { dataDir, signal, log } = options;
  const deadline = performance.now() + BUSY_MILLISECONDS;
  let { port } = options;
  for (let said = ''; ; ) {
    signal?.throwIfAborted();
    port = (await portOfMembers(dataDir)) ?? port;
    const found = (await findEngine(options)) ?? (await startEngine({ ...options, port }));
    if (typeof found !== 'string') return found;
    if (performance.now() > deadline)
      throw new Error(`The embedded ClickHouse for ${dataDir} did not start: ${found}`);
    if (found !== said) log?.(`waiting for the embedded ClickHouse of ${dataDir}: ${found}`);
    said = found;
    await sleep(100);
  }
}

/**
 * The port of an engine that has members, also after it has ended: they wait for the next engine on this port, and any of
 * them may start it.
 */
async function portOfMembers(dataDir: string): Promise<number | undefined> {
  const engine = await readEngineFile(dataDir);
  return engine && hasMembers(fifoPath(dataDir, engine.instance)) ? engine.port : undefined;
}

/** Closes our membership; where we were the last member, waits for the end of the engine, or ends it if it is frozen. */
export async function leaveEngine(dataDir: string, { engine, writeEnd }: Membership): Promise<void> {
  closeSync(writeEnd);
  const fifo = fifoPath(dataDir, engine.instance);
  for (const deadline = performance.now() + LEAVE_MILLISECONDS; isRunning(engine) && !hasMembers(fifo); ) {
    if (performance.now() > deadline) return void (await endProcess(engine));
    await sleep(10);
  }
}

/** A record can outlive its engine, and its port can belong to anything by then. */
async function findEngine({ dataDir, database }: EngineOptions): Promise<Membership | string | undefined> {
  const older = await readOlderRecord(dataDir);
  if (older && isRunning(older))
    throw new Error(
      `The embedded ClickHouse of ${dataDir} (process ${older.pid}) was started by an older version of this program: stop ` +
        'every program that uses it, then start again',
    );
  const engine = await readEngineFile(dataDir);
  if (engine === undefined || !isRunning(engine)) return undefined;
  if (engine.database !== database)
    throw new Error(
      `The embedded ClickHouse of ${dataDir} was started for database ${engine.database}: set CLICKHOUSE_DATABASE to ` +
        'that, or end the programs that use it',
    );
  const { port, instance, proof, pid } = engine;
  const writeEnd = openMembership(fifoPath(dataDir, instance));
  if (writeEnd === undefined) return undefined;
  // Read again now that we are counted: an engine removes its record when it begins to end.
  const isSame = (await readEngineFile(dataDir))?.instance === instance;
  const users = isSame ? await readUsers(dataDir) : undefined;
  if (users && (await canLogIn(port, proof, users.api))) return { engine, writeEnd };
  closeSync(writeEnd);
  // It may have answered one of the requests just before it froze.
  return users && isRunning(engine) ? `its process ${pid} does not answer` : undefined;
}
