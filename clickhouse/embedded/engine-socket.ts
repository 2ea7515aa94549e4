import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { connect, Socket } from 'node:net';
import { join } from 'node:path';
import type { EngineUsers } from './users.ts';

/**
 * Programs find, use and replace the engine of a directory through the Unix socket of its Node process:
 *
 * - One engine: ClickHouse locks its own folder, and the kernel releases the lock. Only the process whose ClickHouse holds it
 *   removes an old socket file and listens. The file that a killed engine left refuses connections.
 * - Membership: a program keeps a connection open. The kernel closes it with the program, and the engine stops when its last
 *   member is gone. That of the program that starts the engine is a socket pair, so an engine that does not serve yet also
 *   stops with its starter.
 * - Identity: only the owner of the file can connect. A program that has connected to the TCP port asks here for the engine's
 *   instance before it sends a login: the engine still runs, so the port was its own when the connection was made.
 * - Replacement: while a connection to a process is open, its pid in `engine.json` cannot be that of a later process.
 *
 * Each connection carries one line to the engine, the question, and one line back.
 */
export type EngineQuestion =
  /** The client is a member until its connection closes. */
  | 'join'
  /** The same answer as `join`, without membership. */
  | 'who'
  /** The answer is `well`, or why the engine should be replaced. */
  | 'health'
  /** The engine answers once earlier clients have closed their connections: one at a time repairs the archive. */
  | 'recovery';

export type EngineRecord = {
  readonly pid: number;
  readonly instance: string;
  readonly port: number;
  /** The only database on which the users have rights. */
  readonly database: string;
  readonly users: EngineUsers;
};

/** A process may take this long to answer. */
export const ANSWER_MILLISECONDS = 5_000;

export const SOCKET_FILE = 'engine.sock';
/** Written before the engine listens and removed when its last member leaves, so a killed engine leaves it. */
export const RECORD_FILE = 'engine.json';

/** Describes the engine that serves the directory, or the last one that was killed. Undefined if missing or damaged. */
export async function readRecordFile(
  dataDir: string,
): Promise<{ readonly pid: number; readonly port: number } | undefined> {
  try {
    const { pid, port } = JSON.parse(await readFile(join(dataDir, RECORD_FILE), 'utf8'));
    // A pid up to 1 would name other processes than one.
    const isSound =
      Number.isSafeInteger(pid) && pid > 1 && Number.isSafeInteger(port) && port > 0 && port < 65_536;
    return isSound ? { pid, port } : undefined;
  } catch {
    return undefined;
  }
}

export async function askEngine(dataDir: string, question: EngineQuestion): Promise<Socket | undefined> {
  const folder = await open(dataDir, 'r');
  try {
    // The path of a socket has at most 107 bytes; that of DATA_DIR can be longer.
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

/** The line that the other side sends. Undefined if the connection closes first or the time is over. */
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

export async function whoServes(dataDir: string, milliseconds: number): Promise<EngineRecord | undefined> {
  const socket = await askEngine(dataDir, 'who');
  const line = socket && (await lineOf(socket, milliseconds));
  socket?.destroy();
  return line === undefined ? undefined : JSON.parse(line);
}

/** A busy engine may answer late. */
const CONNECT_MILLISECONDS = 30_000;

/** @param member returns the engine that this program has joined: connections to any other process on its port are refused */
export function engineAgent(dataDir: string, member: () => EngineRecord | undefined, connections: number) {
  const createConnection = (_options: unknown, done: (error: Error | null, stream: Socket) => void) => {
    connectToEngine(dataDir, member()).then(
      (socket) => done(null, socket),
      ({ message }) => {
        // When a connection closes, Node's agent opens one for the next waiting request, but not when opening fails.
        const closed = new Socket();
        done(null, closed);
        const reason = new Error(`No connection to the embedded ClickHouse: ${message}`);
        closed.destroy(Object.assign(reason, { code: 'ECONNREFUSED' }));
      },
    );
  };
  return Object.assign(new Agent({ keepAlive: true, maxSockets: connections }), { createConnection });
}

async function connectToEngine(dataDir: string, engine: EngineRecord | undefined): Promise<Socket> {
  if (engine === undefined) throw new Error('it is not running');
  // Without a delay: the end of a request with a body would wait 40 ms for the engine to acknowledge what comes before it.
  const socket = connect({ port: engine.port, host: '127.0.0.1', noDelay: true }).on('error', () => {});
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MILLISECONDS) });
    // The engine ran before the connection was made and runs now, so the port was its own.
    const now = await whoServes(dataDir, CONNECT_MILLISECONDS);
    if (now?.instance !== engine.instance) throw new Error('it has ended');
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
