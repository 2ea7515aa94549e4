import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findLibrary, makeFifo, runUntilError } from './clickhouse-library.ts';
import { removeEngineFile, writeEngineFile } from './engine-file.ts';
import { startTimeOf } from './engine-process.ts';
import { isInstance } from './listener.ts';
import { fifoPath, removeStaleFifos, watchMembers } from './membership-fifo.ts';
import { serverArguments, serverEnvironment } from './server-settings.ts';
import { completeUsers, readUsers, writeUsers } from './users.ts';

/**
 * The process of the embedded engine: `main.ts DATA_DIR PORT INSTANCE`. Serves until its last member leaves. It always
 * ends by SIGKILL, because exit handlers would run beside the threads of ClickHouse; an insert that was acknowledged
 * is a whole part on disk by then.
 */
const [dataDir = '', portText = '', instance = ''] = process.argv.slice(2);
const port = Number(portText);
const { CLICKHOUSE_DATABASE: database = '', EMBEDDED_CLICKHOUSE_PASSWORD: password } = process.env;

// The archive is read through the listener alone.
process.umask(0o077);
const fifo = fifoPath(dataDir, instance);
makeFifo(fifo);
watchMembers(fifo, () => void end('the last member left'));

await mkdir(join(dataDir, 'clickhouse'), { recursive: true });
const users = completeUsers(await readUsers(dataDir), password);
const settings = { dataDir, port, instance, database, users, withoutPassword: password === '' };
Object.assign(process.env, serverEnvironment(settings));
runUntilError(findLibrary(), serverArguments(settings)).then(end, end);

while (!(await isInstance(port, instance))) await sleep(20);
// ClickHouse has locked its directory: no other engine serves it.
removeStaleFifos(dataDir, instance);
await writeUsers(dataDir, users);
await writeEngineFile(dataDir, {
  pid: process.pid,
  startTime: startTimeOf(process.pid),
  port,
  instance,
  database,
});
log(`ClickHouse (embedded) serves ${dataDir} on http://127.0.0.1:${port}`);

async function end(why: unknown): Promise<void> {
  await removeEngineFile(dataDir, instance);
  rmSync(fifo, { force: true });
  log(`ends: ${why instanceof Error ? why.message : why}`);
  process.kill(process.pid, 'SIGKILL');
}

function log(line: string): void {
  console.log(`${new Date().toISOString()} ${line}`);
}
