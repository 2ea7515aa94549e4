import type { BlockList, Server } from 'node:net';
import { addressBucket, clientAddress, isTrusted } from '../rate-limit/client-address.ts';

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
