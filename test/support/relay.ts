import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { listenOnFreePort } from './listen.ts';

/** Forwards connections to a server, and can interrupt them. */
export type Relay = {
  readonly port: number;
  /** Refuses new connections and closes the open ones, as when the server has stopped. */
  refuse(): Promise<void>;
  /** Accepts connections and forwards nothing, as when the server hangs. */
  silence(): void;
  /** Forwards again. */
  restore(): Promise<void>;
};

export async function openRelay(server: NetConnectOpts): Promise<Relay> {
  const sockets = new Set<Socket>();
  let isSilent = false;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const relay = createServer((client) => {
    track(client);
    const upstream = connect(server);
    track(upstream);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (bytes) => !isSilent && to.write(bytes));
      from.on('close', () => to.destroy());
    }
  });
  const port = await listenOnFreePort(relay);
  const closeConnections = () => sockets.forEach((socket) => void socket.destroy());
  return {
    port,
    async refuse() {
      if (!relay.listening) return;
      const closed = once(relay, 'close');
      relay.close();
      closeConnections();
      await closed;
    },
    silence() {
      isSilent = true;
    },
    async restore() {
      // Bytes were lost while the relay was silent, so these connections cannot continue.
      if (isSilent) closeConnections();
      isSilent = false;
      if (relay.listening) return;
      relay.listen(port, '127.0.0.1');
      await once(relay, 'listening');
    },
  };
}
