import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { queuedBytes } from './send-body.ts';

/** A text that changes when the client of a connection takes bytes, or when there are new bytes for it. */
export function sendProgress(socket: Socket): string {
  return `${socket.bytesWritten} ${queuedBytes(socket)}`;
}

/**
 * A text that changes when the client acknowledges bytes. The kernel holds up to some MB and takes more only when a
 * third of that is free: with a client that reads 20 kB a second, `sendProgress` does not change for more than a minute.
 * Constant on systems other than Linux.
 */
export async function acknowledgedProgress({ localPort = 0, remotePort = 0 }: Socket): Promise<string> {
  const hex = (port: number) => `:${port.toString(16).toUpperCase().padStart(4, '0')} `;
  const files = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];
  const tables = await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => '')));
  // Local address, remote address, state, bytes in the send queue.
  const pattern = new RegExp(`${hex(localPort)}[0-9A-F]+${hex(remotePort)}[0-9A-F]+ ([0-9A-F]+):`, 'g');
  return tables.flatMap((table) => [...table.matchAll(pattern)].map(([, queued]) => queued)).join(' ');
}
