import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EngineRecord, readEngineFile } from './engine-file.ts';
import { isRunning } from './engine-process.ts';
import { canLogIn, isInstance } from './listener.ts';
import { closeMembership, fifoPath, openMembership } from './membership-fifo.ts';
import { type EngineSettings, startEngine } from './start.ts';
import { type EngineUsers, readUsers } from './users.ts';

export type Membership = {
  readonly engine: EngineRecord;
  readonly users: EngineUsers;
  readonly writeEnd: number;
};

/** How long an engine may take to open its directory, or to release it. */
const BUSY_MILLISECONDS = 60_000;
const LEAVE_MILLISECONDS = 30_000;

/** Becomes a member of the engine of `dataDir`, of a new one where none serves it. */
export async function findOrStart(
  settings: EngineSettings,
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<Membership> {
  const { dataDir } = settings;
  const deadline = performance.now() + BUSY_MILLISECONDS;
  for (let pauseMs = 50, told = ''; ; pauseMs = Math.min(2 * pauseMs, 1_000)) {
    signal?.throwIfAborted();
    const found = await findEngine(settings);
    if (found !== undefined) return found;
    const started = await startEngine(settings, signal);
    if (started.kind === 'started') return withUsers(dataDir, started);
    const { reason } = started;
    if (performance.now() > deadline)
      throw new Error(`The embedded ClickHouse for ${dataDir} did not start: ${reason}`);
    if (reason !== told) log(`waiting for the embedded ClickHouse of ${dataDir}: ${reason}`);
    told = reason;
    await sleep(pauseMs, undefined, { ...(signal && { signal }) });
  }
}

/** Closes our membership; waits for the end of the engine where we were its last member. */
export async function leaveEngine(dataDir: string, { engine, writeEnd }: Membership): Promise<void> {
  const members = closeMembership(fifoPath(dataDir, engine.instance), writeEnd);
  const deadline = performance.now() + LEAVE_MILLISECONDS;
  while (isRunning(engine) && members.isLast() && performance.now() < deadline) await sleep(10);
  members.done();
}

/** A record can outlive its engine, and its port can belong to anything by then. */
async function findEngine({ dataDir, database }: EngineSettings): Promise<Membership | undefined> {
  const engine = await readEngineFile(dataDir);
  if (engine === undefined || !isRunning(engine)) return undefined;
  const writeEnd = openMembership(fifoPath(dataDir, engine.instance));
  if (writeEnd === undefined) return undefined;
  try {
    // Read again now that we are counted: an engine removes its record when it begins to end.
    const { port, instance } = engine;
    const isSame =
      (await readEngineFile(dataDir))?.instance === instance && (await isInstance(port, instance));
    if (isSame && engine.database !== database)
      throw new Error(
        `The embedded ClickHouse of ${dataDir} was started for database ${engine.database}: set CLICKHOUSE_DATABASE to ` +
          'that, or end the programs that use it',
      );
    const membership = isSame ? await withUsers(dataDir, { engine, writeEnd }) : undefined;
    if (membership && (await canLogIn(port, membership.users.api))) return membership;
  } catch (error) {
    closeSync(writeEnd);
    throw error;
  }
  closeSync(writeEnd);
  return undefined;
}

async function withUsers(
  dataDir: string,
  { engine, writeEnd }: Omit<Membership, 'users'>,
): Promise<Membership> {
  const users = await readUsers(dataDir);
  if (users === undefined) throw new Error(`The logins of the embedded ClickHouse are missing in ${dataDir}`);
  return { engine, users, writeEnd };
}
