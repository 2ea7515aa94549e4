import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, readEngineFile } from './engine-file.ts';
import { canLogIn, listenerAt } from './listener.ts';
import { fifoPath, hasMembers, openMembership } from './membership-fifo.ts';
import { type EngineOptions, type Membership, startEngine } from './start.ts';
import { readUsers } from './users.ts';

/** How long an engine may take to open its directory, or to release it. */
const BUSY_MILLISECONDS = 60_000;
const LEAVE_MILLISECONDS = 30_000;

/** Becomes a member of the engine of `dataDir`, of a new one where none serves it. */
export async function findOrStart(options: EngineOptions): Promise<Membership> {
  const { dataDir, signal, log } = options;
  const deadline = performance.now() + BUSY_MILLISECONDS;
  for (let said = ''; ; ) {
    signal?.throwIfAborted();
    const found = (await findEngine(options)) ?? (await startEngine(options));
    if (typeof found !== 'string') return found;
    if (performance.now() > deadline)
      throw new Error(`The embedded ClickHouse for ${dataDir} did not start: ${found}`);
    if (found !== said) log?.(`waiting for the embedded ClickHouse of ${dataDir}: ${found}`);
    said = found;
    await sleep(100);
  }
}

/** Closes our membership; waits for the end of the engine where we were its last member. */
export async function leaveEngine(dataDir: string, { engine, writeEnd }: Membership): Promise<void> {
  closeSync(writeEnd);
  const fifo = fifoPath(dataDir, engine.instance);
  const deadline = performance.now() + LEAVE_MILLISECONDS;
  while (isRunning(engine) && !hasMembers(fifo) && performance.now() < deadline) await sleep(10);
}

/** A record can outlive its engine, and its port can belong to anything by then. */
async function findEngine({ dataDir, database }: EngineOptions): Promise<Membership | undefined> {
  const engine = await readEngineFile(dataDir);
  if (engine === undefined || !isRunning(engine)) return undefined;
  if (engine.database !== database)
    throw new Error(
      `The embedded ClickHouse of ${dataDir} was started for database ${engine.database}: set CLICKHOUSE_DATABASE to ` +
        'that, or end the programs that use it',
    );
  const { port, instance } = engine;
  const writeEnd = openMembership(fifoPath(dataDir, instance));
  if (writeEnd === undefined) return undefined;
  // Read again now that we are counted: an engine removes its record when it begins to end.
  const isSame =
    (await readEngineFile(dataDir))?.instance === instance && (await listenerAt(port)) === instance;
  const users = isSame ? await readUsers(dataDir) : undefined;
  if (users && (await canLogIn(port, users.api))) return { engine, writeEnd };
  closeSync(writeEnd);
  return undefined;
}
