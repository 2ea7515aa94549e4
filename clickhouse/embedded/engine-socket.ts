import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { EngineUsers } from './users.ts';

/**
 * Programs and the engine of a DATA_DIR meet at the Unix socket `DATA_DIR/engine.sock`, at which the Node process of the
 * engine listens. The kernel does the rest:
 *
 * - One engine per directory: ClickHouse locks its own folder, and the kernel releases that lock with the process. Only
 *   the process whose ClickHouse has the lock removes an old socket file and listens, so two starters cannot remove each
 *   other's file, and a file that a killed engine left refuses connections.
 * - Membership: a program that uses the engine keeps a connection open. The kernel closes it with the program, however
 *   that ends, and the engine ends with its last connection. The starter's connection is a pair of sockets that the
 *   engine inherits, so an engine that does not serve yet also ends with its starter.
 * - Identity: only the owner of the file can connect. A program that opens a connection to the engine's TCP port then
 *   asks here for the engine's instance. An answer shows that the engine was still running, so the port was still its
 *   own: a login never reaches another process that takes the port.
 * - A process cannot end unseen while a connection to it is open, so the pid in `engine.json` is not that of a later
 *   process.
 *
 * A connection carries one line to the engine, its question, and one line back.
 */
export type Question =
  /** Counts as a member until the connection closes. */
  | 'join'
  /** The same answer, without membership. */
  | 'who'
  /** `well`, or why the engine should be replaced. */
  | 'health'
  /** The answer comes when the connections of earlier askers have closed. */
  | 'recovery';

/** The answer to `join` and `who`. */
export type EngineRecord = {
  readonly pid: number;
  /** New with each start. */
  readonly instance: string;
  readonly port: number;
  /** The users have rights on this database alone. */
  readonly database: string;
  readonly users: EngineUsers;
};

export const SOCKET_FILE = 'engine.sock';
/** Written before the engine listens, removed when its last member leaves: what is left shows where a killed engine was. */
export const RECORD_FILE = 'engine.json';

/** Of the engine that serves the directory, or was killed there; undefined where the file is missing or damaged. */
export async function readRecordFile(
  dataDir: string,
): Promise<{ readonly pid: number; readonly port: number } | undefined> {
  try {
    return JSON.parse(await readFile(join(dataDir, RECORD_FILE), 'utf8')) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The connection, with the question sent; undefined where no engine serves the directory. */
export async function askEngine(dataDir: string, question: Question): Promise<Socket | undefined> {
  const folder = await open(dataDir, 'r');
  try {
    // The kernel takes no more than 107 bytes of a path.
    const path = process.platform === 'linux' ? `/proc/self/fd/${folder.fd}` : dataDir;
    const socket = connect(join(path, SOCKET_FILE));
    await once(socket, 'connect');
    socket.on('error', () => {}).write(`${question}\n`);
    return socket;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
    throw new Error(`The embedded ClickHouse of ${dataDir} cannot be reached: ${message}`, { cause: error });
  } finally {
    await folder.close();
  }
}

/** The line that the other side sends; undefined where the connection closes before, or the time is over. */
export function lineOf(socket: Socket, milliseconds: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const timer = setTimeout(resolve, milliseconds, undefined);
    const end = (line?: string) => {
      clearTimeout(timer);
      resolve(line);
    };
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (text.endsWith('\n')) end(text.trimEnd());
    });
    socket.on('close', () => end());
  });
}

/** The engine that serves the directory now; undefined where none does, or it does not answer in time. */
export async function whoServes(dataDir: string, milliseconds: number): Promise<EngineRecord | undefined> {
  const socket = await askEngine(dataDir, 'who');
  const line = socket && (await lineOf(socket, milliseconds));
  socket?.destroy();
  return line === undefined ? undefined : JSON.parse(line);
}
