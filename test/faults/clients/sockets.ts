import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type OpenSocket = {
  readonly socket: Socket;
  /** Everything that it received, unless it does not read. */
  received(): string;
  readonly closed: Promise<void>;
  isOpen(): boolean;
};

/** A connection from one of 127.0.0.0/8. `reads: false` leaves what arrives in the buffers of the kernel. */
export function openSocket(
  url: string,
  { address = '127.0.0.1', reads = true }: { readonly address?: string; readonly reads?: boolean } = {},
): OpenSocket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: address });
  let text = '';
  let isOpen = true;
  socket.on('error', () => {});
  if (reads)
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
    });
  const closed = new Promise<void>((resolve) =>
    socket.once('close', () => {
      isOpen = false;
      resolve();
    }),
  );
  return { socket, received: () => text, closed, isOpen: () => isOpen };
}

export function openSockets(
  count: number,
  url: string,
  options: Parameters<typeof openSocket>[1] = {},
): readonly OpenSocket[] {
  return Array.from({ length: count }, () => openSocket(url, options));
}

export function closeAll(sockets: readonly OpenSocket[]): void {
  for (const { socket } of sockets) socket.destroy();
}

/** Sends bytes; returns everything that comes back until the server closes, or undefined when it does not in time. */
export async function exchange(url: string, bytes: string, limitMs = 15_000): Promise<string | undefined> {
  const opened = openSocket(url);
  opened.socket.write(bytes, 'latin1');
  const end = await Promise.race([
    opened.closed.then(() => 'closed'),
    sleep(limitMs, 'open', { ref: false }),
  ]);
  opened.socket.destroy();
  return end === 'closed' ? opened.received() : undefined;
}

export function head(path: string, key?: string, more = ''): string {
  const credentials = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`;
  return `GET ${path} HTTP/1.1\r\nHost: a\r\n${credentials}${more}\r\n`;
}
