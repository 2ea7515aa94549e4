import { spawn } from 'node:child_process';
import { open, readFile, statfs } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { programArguments } from '../process/typescript-program.ts';
import { type EngineRecord, lineOf, readRecordFile } from './engine-socket.ts';
import { findLibrary } from './library.ts';

export type EngineOptions = {
  readonly dataDir: string;
  /** Where an engine is started if none serves the directory yet: `EMBEDDED_CLICKHOUSE_PORT`. */
  readonly port: number;
  /** The users get rights on this database alone. */
  readonly database: string;
  /** `EMBEDDED_CLICKHOUSE_PASSWORD`: that of `history_admin`. Empty: `default` is admitted without one. */
  readonly adminPassword: string | undefined;
  /** The program stops: gives up joining. Once joined, `leave` ends the membership. */
  readonly signal?: AbortSignal;
  /** Milliseconds after which an engine that does not serve is replaced: a minute, less in a test. */
  readonly silenceLimit?: number;
  /** Bytes for an engine that is started: half of what there is, less in a test. */
  readonly memory?: number;
  readonly log?: (line: string) => void;
};

/** An engine, and the connection that makes us a member. */
export type Membership = { readonly engine: EngineRecord; readonly connection: Socket };

const PROGRAM = programArguments(new URL('./main.ts', import.meta.url));

const START_MILLISECONDS = 300_000;

/** The library has failed to start over a sound directory, once in some hundred starts. */
const START_ATTEMPTS = 3;

// What ClickHouse says where another process has the lock of its path, or the port.
const DIRECTORY_TAKEN = /Another server instance in same directory/;
const PORT_TAKEN = /Address already in use/;
const ANSWER_MILLISECONDS = 5_000;

/** The rest is for api, loader and operating system: api and engine fit into a container of 1 GB together. */
const MEMORY_SHARE = 0.5;
/** Of the memory of the engine, for what it keeps of files: by default ClickHouse would keep up to 5 GB of marks alone. */
const CACHE_SHARE = 0.1;

/**
 * Starts the process of an engine, which outlives ours, and becomes its first member. Throws where only the operator can
 * help; returns why it did not start where another engine is starting or ending, so that trying again helps.
 */
export async function startEngine(options: EngineOptions): Promise<Membership | string> {
  findLibrary();
  const { dataDir, log } = options;
  // Programs may still run that used an engine on another port, which was killed.
  let { port = options.port } = (await readRecordFile(dataDir)) ?? {};
  for (let attempt = 1; ; attempt += 1) {
    const started = await runEngine({ ...options, port });
    if (typeof started !== 'string' || DIRECTORY_TAKEN.test(started)) return started;
    const isPortTaken = PORT_TAKEN.test(started);
    if (attempt < START_ATTEMPTS) log?.(`the embedded ClickHouse did not start (${started}); trying again`);
    else if (isPortTaken && port !== options.port) [port, attempt] = [options.port, 0];
    else
      throw new Error(
        isPortTaken
          ? await portTaken(port)
          : `The embedded ClickHouse for ${dataDir} did not start, see ${logPathOf(dataDir)}: ${started}`,
      );
  }
}

/** Names what listens on the port as far as it can be seen. */
async function portTaken(port: number): Promise<string> {
  const signal = AbortSignal.timeout(ANSWER_MILLISECONDS);
  const ping = await fetch(`http://127.0.0.1:${port}/ping`, { signal }).then(
    (response) => response.text(),
    () => '',
  );
  const holder = ping === 'Ok.\n' ? 'a ClickHouse, perhaps that of another DATA_DIR' : 'another program';
  return `Port ${port} on 127.0.0.1 is already taken by ${holder}: set EMBEDDED_CLICKHOUSE_PORT to a free port`;
}

/** One start; returns why it failed. */
async function runEngine(options: EngineOptions): Promise<Membership | string> {
  const { dataDir, port, database, adminPassword, signal, memory } = options;
  const output = await open(logPathOf(dataDir), 'a', 0o600);
  const { size } = await output.stat();
  const child = spawn(process.execPath, [...PROGRAM, dataDir, `${port}`], {
    detached: true,
    // The last one is our connection: it closes with this process, or with that of the engine.
    stdio: ['ignore', output.fd, output.fd, 'pipe'],
    env: {
      ...process.env,
      ...memoryEnvironment(memory),
      CLICKHOUSE_DATABASE: database,
      // A variable that is undefined is not set.
      EMBEDDED_CLICKHOUSE_PASSWORD: adminPassword,
    },
  });
  child.unref();
  await output.close();
  const connection = child.stdio[3] as Socket;
  const giveUp = () => connection.destroy();
  signal?.addEventListener('abort', giveUp);
  const line = await lineOf(
    connection.on('error', () => {}),
    START_MILLISECONDS,
  );
  signal?.removeEventListener('abort', giveUp);
  if (line !== undefined) return { engine: JSON.parse(line), connection };
  child.kill('SIGKILL');
  signal?.throwIfAborted();
  const lines = (await readFile(logPathOf(dataDir))).subarray(size).toString().trim().split('\n');
  const reason = lines.find((each) => each.includes('DB::Exception')) ?? lines.at(-1) ?? '';
  return reason === '' && (await isFull(dataDir)) ? 'no space left on device' : reason;
}

/**
 * What `server/embedded.xml` takes from the environment: the memory of all statements and caches of the engine. A
 * statement that needs more writes what it sorts to the disk, or fails; the engine stays alive.
 */
export function memoryEnvironment(
  bytes = availableMemory() * MEMORY_SHARE,
): Readonly<Record<string, string>> {
  return {
    HISTORY_ENGINE_MEMORY: `${Math.floor(bytes)}`,
    HISTORY_ENGINE_CACHE: `${Math.floor(bytes * CACHE_SHARE)}`,
  };
}

/** What the machine has, or the container or unit of this process where that may take less, in bytes. */
function availableMemory(): number {
  // 0, or more than there is, where nothing limits it.
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Not even the reason why an engine does not start can be written. */
async function isFull(dataDir: string): Promise<boolean> {
  const { bavail } = await statfs(dataDir);
  return bavail === 0;
}

function logPathOf(dataDir: string): string {
  return join(dataDir, 'engine.log');
}
