import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type EngineRecord, whoServes } from './engine-socket.ts';

/** A busy engine may answer late. */
const CONNECT_MILLISECONDS = 30_000;

type Done = (error: Error | null, stream: Duplex) => void;

/**
 * Opens connections to the engine only, never to another process that has taken its port.
 *
 * @param member returns the engine of which this program is a member now
 */
export function engineAgent(
  dataDir: string,
  member: () => EngineRecord | undefined,
  connections: number,
): Agent {
  const createConnection = (_options: unknown, done: Done) => {
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
  const socket = connect(engine.port, '127.0.0.1').on('error', () => {});
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
