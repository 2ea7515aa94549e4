import { readFileSync } from 'node:fs';
import type { BlockList, Server } from 'node:net';
import type { Log } from '../ops/log.ts';
import { addressBucket, clientAddress, isTrusted } from '../rate-limit/client-address.ts';

/** Connections of a process. */
const MAX_CONNECTIONS = 4096;
/** Open files beside them: those of Node, of the archive and of Redis. */
const OWN_FILES = 96;

/** How many connections the limit of open files allows. A low limit is logged with what is needed. */
export function maxConnections(log: Log, limit = openFilesLimit()): number {
  const needed = MAX_CONNECTIONS + OWN_FILES;
  if (limit >= needed) return MAX_CONNECTIONS;
  const connections = Math.max(1, limit - OWN_FILES);
  log('warn', 'low limit of open files', { limit, needed, connections, remedy: `ulimit -n ${needed}` });
  return connections;
}

/** Of this process: what `ulimit -Hn` prints, because Node raises the limit to it. Infinite where it is unknown. */
function openFilesLimit(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return Number(limit ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * Closes the connections that an address opens beyond its number. Otherwise one address could hold all connections of
 * the server. A trusted proxy has no limit of its own: it opens the connections of all its clients.
 */
export function limitConnections(server: Server, perAddress: number, trustedProxies: BlockList): void {
  const counts = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = clientAddress(socket.remoteAddress ?? '', undefined, trustedProxies);
    if (isTrusted(address, trustedProxies)) return;
    const bucket = addressBucket(address);
    const count = counts.get(bucket) ?? 0;
    if (count >= perAddress) return void socket.destroy();
    counts.set(bucket, count + 1);
    socket.once('close', () => {
      const left = (counts.get(bucket) ?? 1) - 1;
      if (left === 0) counts.delete(bucket);
      else counts.set(bucket, left);
    });
  });
}
