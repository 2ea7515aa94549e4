import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../durable-file.ts';
import { engineFile, writeJson } from './engine-file.ts';
import { memoryEnvironment, startTimeOf } from './engine-process.ts';
import { findLibrary, makeFifo, runClickHouse } from './foreign-functions.ts';
import { fifoPath, removeStaleFifos, watchMembers } from './membership-fifo.ts';
import { connectToEngine, makeProof, proofEnvironment } from './proof.ts';
import { completeUsers, readUsers, usersEnvironment, usersFile } from './users.ts';

/**
 * The process of the embedded engine: `main.ts DATA_DIR PORT INSTANCE`. Serves until its last member leaves. It always
 * ends by SIGKILL, because exit handlers would run beside the threads of ClickHouse; an insert that was acknowledged
 * is a whole part on disk by then.
 */
const [dataDir = '', portText = '', instance = ''] = process.argv.slice(2);
const port = Number(portText);
const { pid, env } = process;
const { CLICKHOUSE_DATABASE: database, EMBEDDED_CLICKHOUSE_PASSWORD: adminPassword } = env;
const isOpen = adminPassword === '';
const fifo = fifoPath(dataDir, instance);
const proof = makeProof();
let serves = false;
process.on('uncaughtException', end);

// The archive is read through the listener alone.
process.umask(0o077);
makeFifo(fifo);
watchMembers(fifo, () => end('the last member left'));

const users = completeUsers(await readUsers(dataDir), adminPassword);
Object.assign(env, usersEnvironment(users), proofEnvironment(proof), memoryEnvironment(), {
  HISTORY_INSTANCE: instance,
  HISTORY_FUNCTIONS: fileURLToPath(new URL('../server/functions/', import.meta.url)),
  HISTORY_DEFAULT_QUOTA: isOpen ? 'default' : 'listener',
  HISTORY_DEFAULT_GRANT: isOpen ? 'GRANT ALL ON *.* WITH GRANT OPTION' : 'GRANT SYSTEM LISTEN ON *.*',
});
const path = join(dataDir, 'clickhouse');
await makeFolder(path);
const config = new URL(`../server/embedded${isOpen ? '-without-password' : ''}.xml`, import.meta.url);
runClickHouse(findLibrary(), [
  'clickhouse',
  `--path=${path}`,
  `--config-file=${fileURLToPath(config)}`,
  // The program takes an expression without SELECT for a statement; a server does not.
  '--implicit_select=0',
  '--listen_host=127.0.0.1',
  `--http_port=${port}`,
  // The program ends with its last statement.
  '--query=SYSTEM START LISTEN HTTP;' +
    'SELECT sleepEachRow(1) FROM numbers(1000000000) SETTINGS max_block_size = 1 FORMAT Null',
]).then(() => end('ClickHouse ended'), end);

while (!(await answersProof())) await sleep(20);
// ClickHouse has locked its path: no other engine serves it.
serves = true;
removeStaleFifos(dataDir, instance);
log(`ClickHouse (embedded) serves ${dataDir} on http://127.0.0.1:${port}`);
await writeJson(usersFile(dataDir), users);
await writeJson(engineFile(dataDir), { pid, startTime: startTimeOf(pid), port, instance, proof, database });

function answersProof(): Promise<boolean> {
  return connectToEngine(port, proof).then(
    (socket) => socket.destroy().destroyed,
    () => false,
  );
}

function end(why: unknown): void {
  if (serves) rmSync(engineFile(dataDir), { force: true });
  rmSync(fifo, { force: true });
  log(`ends: ${why}`);
  process.kill(pid, 'SIGKILL');
}

function log(line: string): void {
  console.log(`${new Date().toISOString()} ${line}`);
}
