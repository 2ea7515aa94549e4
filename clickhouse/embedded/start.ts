import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, statfs } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { programArguments } from '../typescript-program.ts';
import { ANSWER_MILLISECONDS, type EngineRecord, lineOf, readRecordFile } from './engine-socket.ts';
import { findLibrary } from './library.ts';

export type EngineOptions = {
  readonly dataDir: string;
  /** `EMBEDDED_CLICKHOUSE_PORT`: the port of an engine that is started. */
  readonly port: number;
  /** Another port where that is taken; else the start fails. */
  readonly takesFreePort?: boolean;
  /** The only database on which the users have rights. */
  readonly database: string;
  /** `EMBEDDED_CLICKHOUSE_PASSWORD`, for `history_admin`. If empty, `default` is admitted without a password. */
  readonly adminPassword: string | undefined;
  /** Aborts when the program stops, and ends an attempt to join. After that, `leave` ends the membership. */
  readonly signal?: AbortSignal;
  /** An engine that has not been well for this many milliseconds is replaced: a minute, less in tests. */
  readonly silenceLimit?: number;
  /** In bytes, for an engine that is started: half of what there is, less in tests. */
  readonly memory?: number;
  readonly log?: (line: string) => void;
};

export type Membership = { readonly engine: EngineRecord; readonly connection: Socket };

const PROGRAM = programArguments(new URL('./main.ts', import.meta.url));

const START_MILLISECONDS = 300_000;

/** About once in a hundred starts, the library failed although the directory was sound. */
const START_ATTEMPTS = 3;
/** An engine that has just ended may keep the port for a moment longer than the directory. */
const PORT_ATTEMPTS = 2;

// What ClickHouse prints if another process has locked the directory, or has the port.
const DIRECTORY_TAKEN = /Another server instance in same directory/;
const PORT_TAKEN = /Address already in use/;

/** The rest is for api, loader and operating system, so that api and engine fit into a container of 1 GB. */
const MEMORY_SHARE = 0.5;
/** Share of the engine's memory for marks of files, where ClickHouse keeps up to 5 GB by default, and for their blocks. */
const CACHE_SHARE = 0.1;

/**
 * Starts an engine and yields its first membership. While another program has locked the directory, it yields that reason; the
 * next call continues with the same port. (If each call began with the configured port, two programs that find it taken would
 * lock the directory by turns.) Throws if only the operator can help.
 */
export async function* startEngine(options: EngineOptions): AsyncGenerator<Membership | string, never> {
  findLibrary();
  const { dataDir, log } = options;
  // If an engine was killed, programs that used it may still run and wait for the next one on its port.
  const { port: before = options.port } = (await readRecordFile(dataDir)) ?? {};
  const others = before === options.port ? [] : [options.port];
  let [port, { takesFreePort = false }] = [before, options];
  for (let attempt = 1; ; attempt += 1) {
    const started = await runEngine({ ...options, port });
    if (typeof started !== 'string' || DIRECTORY_TAKEN.test(started)) {
      yield started;
      attempt -= 1;
      continue;
    }
    const isPortTaken = PORT_TAKEN.test(started);
    if (attempt < (isPortTaken ? PORT_ATTEMPTS : START_ATTEMPTS))
      log?.(
        `the embedded ClickHouse did not start (${isPortTaken ? `port ${port} is taken` : started}); trying again`,
      );
    else if (isPortTaken && others.length > 0) [port, attempt] = [others.pop() ?? port, 0];
    else if (isPortTaken && takesFreePort) {
      takesFreePort = false;
      [port, attempt] = [await freePort(), 0];
      log?.(`the embedded ClickHouse takes port ${port}`);
    } else
      throw new Error(
        isPortTaken
          ? await portTaken(port)
          : `The embedded ClickHouse for ${dataDir} did not start, see ${logPathOf(dataDir)}: ${started}`,
      );
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function portTaken(port: number): Promise<string> {
  const signal = AbortSignal.timeout(ANSWER_MILLISECONDS);
  const ping = await fetch(`http://127.0.0.1:${port}/ping`, { signal }).then(
    (response) => response.text(),
    () => '',
  );
  const holder = ping === 'Ok.\n' ? 'a ClickHouse, perhaps that of another DATA_DIR' : 'another program';
  return `Port ${port} on 127.0.0.1 is already taken by ${holder}: set EMBEDDED_CLICKHOUSE_PORT to a free port`;
}

async function runEngine(options: EngineOptions): Promise<Membership | string> {
  const { dataDir, port, database, adminPassword, signal, memory } = options;
  const output = await open(logPathOf(dataDir), 'a', 0o600);
  const { size } = await output.stat();
  const child = spawn(process.execPath, [...PROGRAM, dataDir, `${port}`], {
    detached: true,
    // The last one is the connection of this member. The kernel closes it when either process ends.
    stdio: ['ignore', output.fd, output.fd, 'pipe'],
    env: {
      ...process.env,
      ...memoryEnvironment(memory),
      CLICKHOUSE_DATABASE: database,
      // An undefined variable is not set.
      EMBEDDED_CLICKHOUSE_PASSWORD: adminPassword,
    },
  });
  child.unref();
  await output.close();
  const connection = child.stdio[3] as Socket;
  const giveUp = () => connection.destroy();
  signal?.addEventListener('abort', giveUp);
  connection.on('error', () => {});
  const line = await lineOf(connection, START_MILLISECONDS);
  signal?.removeEventListener('abort', giveUp);
  if (line !== undefined) return { engine: JSON.parse(line), connection };
  child.kill('SIGKILL');
  signal?.throwIfAborted();
  const lines = (await readFile(logPathOf(dataDir))).subarray(size).toString().trim().split('\n');
  const reason = lines.find((each) => each.includes('DB::Exception')) ?? lines.at(-1) ?? '';
  // On a full disk not even the reason can be written.
  const isFull = reason === '' && (await statfs(dataDir)).bavail === 0;
  return isFull ? 'no space left on device' : reason;
}

/** For `server/embedded.xml`. A statement that needs more sorts on the disk or fails; the engine goes on. */
export function memoryEnvironment(memory?: number): Readonly<Record<string, string>> {
  // Of the container or unit: 0, or more than the machine has, if there is no limit.
  const limit = process.constrainedMemory() || totalmem();
  const bytes = memory ?? Math.min(limit, totalmem()) * MEMORY_SHARE;
  return {
    HISTORY_ENGINE_MEMORY: `${Math.floor(bytes)}`,
    HISTORY_ENGINE_CACHE: `${Math.floor(bytes * CACHE_SHARE)}`,
  };
}

function logPathOf(dataDir: string): string {
  return join(dataDir, 'engine.log');
}
