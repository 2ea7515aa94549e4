import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { createServer, Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { PROBE } from '../archive.ts';
import { makeFolder, replaceFile } from '../durable-file.ts';
import { type EngineRecord, lineOf, RECORD_FILE, SOCKET_FILE } from './engine-socket.ts';
import { findLibrary, runClickHouse } from './library.ts';
import { authorizationOf, completeUsers, readUsers, usersEnvironment, usersFile } from './users.ts';

/**
 * `main.ts DATA_DIR PORT`, with the connection of its starter as file descriptor 3. It serves until its last member leaves, and ends
 * by SIGKILL: exit handlers would run beside ClickHouse's threads. An acknowledged insert is a whole part on disk by then.
 */
const [dataDir = '', port = ''] = process.argv.slice(2);
const { pid, env } = process;
const { CLICKHOUSE_DATABASE: database = '', EMBEDDED_CLICKHOUSE_PASSWORD: adminPassword } = env;
const isOpen = adminPassword === '';
const url = `http://127.0.0.1:${port}`;
const instance = randomUUID();
/** Less than the 5 s that members wait for an answer. */
const STATEMENT_MILLISECONDS = 4_000;
const MEMORY_LIMIT_EXCEEDED = '241';
/** Path and body of a response that only the ClickHouse of this process can give. */
const [secretPath, secret] = [randomUUID(), randomUUID()];
let serves = false;
/** Resolves when the members that asked to repair the archive have closed their connections. */
let recovery: Promise<unknown> = Promise.resolve();
process.on('uncaughtException', end);
process.umask(0o077);
// So that the path of the socket is short.
process.chdir(dataDir);
const starter = new Socket({ fd: 3, allowHalfOpen: true });
const members = new Set([starter]);
watch(starter);

const usersBefore = await readUsers(dataDir);
if (usersBefore === undefined && existsSync(usersFile(dataDir)))
  log(`${usersFile(dataDir)} is damaged: the users of the engine get new passwords`);
const users = completeUsers(usersBefore, adminPassword);
Object.assign(env, usersEnvironment(users), {
  HISTORY_SECRET_PATH: `/${secretPath}`,
  HISTORY_SECRET: secret,
  ...(isOpen && { HISTORY_AUTHORIZATION: 'regex:.*' }),
  HISTORY_FUNCTIONS: fileURLToPath(new URL('../server/functions/', import.meta.url)),
  HISTORY_DEFAULT_QUOTA: isOpen ? 'default' : 'listener',
  HISTORY_DEFAULT_GRANT: isOpen ? 'GRANT ALL ON *.* WITH GRANT OPTION' : 'GRANT SYSTEM LISTEN ON *.*',
});
const path = join(dataDir, 'clickhouse');
await makeFolder(path);
const config = new URL('../server/embedded.xml', import.meta.url);
runClickHouse(findLibrary(), [
  'clickhouse',
  `--path=${path}`,
  `--config-file=${fileURLToPath(config)}`,
  // As on a server, an expression without SELECT is not a statement.
  '--implicit_select=0',
  '--listen_host=127.0.0.1',
  `--http_port=${port}`,
  // The program ends after its last statement, so that one never ends.
  '--query=SYSTEM START LISTEN HTTP;' +
    'SELECT sleepEachRow(1) FROM numbers(1000000000) SETTINGS max_block_size = 1 FORMAT Null',
]).then(() => end('ClickHouse ended'), end);

while ((await askEngine(`/${secretPath}`).catch(() => undefined))?.text !== secret) await sleep(20);
// ClickHouse has locked its folder, so no other engine serves it, and an old socket file belongs to one that has ended.
const record = JSON.stringify({ pid, instance, port: Number(port), database, users } satisfies EngineRecord);
if (!isDeepStrictEqual(users, usersBefore))
  await replaceFile(usersFile(dataDir), `${JSON.stringify(users, undefined, 2)}\n`);
writeFileSync(RECORD_FILE, `${JSON.stringify({ pid, port: Number(port) })}\n`);
rmSync(SOCKET_FILE, { force: true });
await once(createServer({ allowHalfOpen: true }, answer).listen(SOCKET_FILE), 'listening');
chmodSync(SOCKET_FILE, 0o600);
serves = true;
log(`ClickHouse (embedded) serves ${dataDir} on ${url}`);
tell(starter, record);

async function answer(asker: Socket): Promise<void> {
  watch(asker);
  const question = await lineOf(asker, STATEMENT_MILLISECONDS);
  if (question === 'join') members.add(asker);
  if (question === 'join' || question === 'who') tell(asker, record);
  else if (question === 'health') await health().then((line) => tell(asker, line), log);
  else if (question === 'recovery') {
    const before = recovery;
    recovery = Promise.all([before, new Promise((resolve) => asker.once('close', resolve))]);
    await before;
    tell(asker, 'go on');
  } else asker.destroy();
}

/** Throws if ClickHouse does not answer `/ping`. A statement without an answer only waits for others. */
async function health(): Promise<string> {
  const authorization = authorizationOf(users.api);
  const probe = askEngine(`/?query=${encodeURIComponent(PROBE)}`, { authorization }).catch(() => undefined);
  const [answered] = await Promise.all([probe, askEngine('/ping')]);
  return answered?.code === MEMORY_LIMIT_EXCEEDED ? 'has refused every statement for lack of memory' : 'well';
}

/** Not by `fetch`, which refuses some ports, such as 6000 and 10080. */
async function askEngine(path: string, headers: Readonly<Record<string, string>> = {}) {
  const signal = AbortSignal.timeout(STATEMENT_MILLISECONDS);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url + path, { headers, signal }, resolve).on('error', reject);
  });
  return { code: response.headers['x-clickhouse-exception-code'], text: await text(response) };
}

function watch(socket: Socket): void {
  // The last member waits until its connection closes, which has to show that this process has ended.
  const leave = () => members.delete(socket) && members.size === 0 && end('the last member left');
  socket
    .on('error', () => {})
    .on('end', leave)
    .on('close', leave)
    .on('end', () => socket.end())
    .resume();
}

function tell(socket: Socket, line: string): void {
  if (socket.writable) socket.write(`${line}\n`);
}

function end(why: unknown): void {
  if (serves) for (const file of [SOCKET_FILE, RECORD_FILE]) rmSync(file, { force: true });
  log(`ends: ${why}`);
  process.kill(pid, 'SIGKILL');
}

function log(line: unknown): void {
  console.log(`${new Date().toISOString()} ${line}`);
}
