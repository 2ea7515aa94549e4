import { connect, type Socket } from 'node:net';

export type OpenSocket = { readonly socket: Socket; readonly closed: Promise<void>; isOpen(): boolean };

/** A connection. `reads: false` leaves what arrives in the buffers of the kernel. */
export function openSocket(url: string, { reads = true }: { readonly reads?: boolean } = {}): OpenSocket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  let isOpen = true;
  socket.on('error', () => {});
  if (reads) socket.resume();
  const closed = new Promise<void>((resolve) =>
    socket.once('close', () => {
      isOpen = false;
      resolve();
    }),
  );
  return { socket, closed, isOpen: () => isOpen };
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

export function head(path: string, key?: string, more = ''): string {
  const credentials = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`;
  return `GET ${path} HTTP/1.1\r\nHost: a\r\n${credentials}${more}\r\n`;
}
