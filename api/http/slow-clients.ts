import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import { addLogFields } from './request-log.ts';

export const CLIENT_TIMEOUT_MS = 30_000;

export type ReadingTimeouts = {
  readonly clientMs: number;
  /** How long the storage may send nothing while the client waits; if absent, there is no such limit. */
  readonly storageMs?: number;
};

/** Ends a response if client or storage makes no progress. Time is counted in timer intervals, without pauses of this process. */
export function closeIfSilent(
  { req: request, res: response }: Context,
  { clientMs, storageMs = Number.POSITIVE_INFINITY }: ReadingTimeouts,
  stream?: Readable & { readonly windows?: number },
): void {
  const { socket } = request;
  // This check replaces the time limit of the server, which ends clients that need longer to read what the kernel holds.
  const { timeout = 0 } = socket;
  socket.setTimeout(0);
  response.prependOnceListener('finish', () => socket.setTimeout(timeout));
  let sent = '';
  let acknowledged: string | undefined;
  let silentMs = 0;
  const intervalMs = clientMs / 10;
  const look = async () => {
    const [sentBefore, acknowledgedBefore] = [sent, acknowledged];
    sent = `${sendProgress(socket)} ${stream?.windows}`;
    // Read only if there seems to be no progress, because it reads a table of all connections.
    acknowledged = sent === sentBefore ? await acknowledgedProgress(socket, intervalMs / 2) : undefined;
    if (response.closed) return;
    if (sent !== sentBefore || acknowledged !== (acknowledgedBefore ?? acknowledged)) {
      silentMs = 0;
      return;
    }
    silentMs += intervalMs;
    const isClientSilent = socket.writableLength > 0;
    if (silentMs < (isClientSilent ? clientMs : storageMs)) return;
    clearInterval(timer);
    if (!isClientSilent) return void stream?.destroy(new Error('The storage sends nothing'));
    addLogFields(request, { isSlow: true });
    // A stream must not look complete: see `sendStream`.
    if (stream === undefined) socket.destroy();
    else socket.resetAndDestroy();
  };
  const timer = setInterval(look, intervalMs);
  response.once('close', () => clearInterval(timer));
}

/** A text that changes when the kernel takes bytes of the response; within one body only `writeQueueSize` changes. */
function sendProgress(socket: Socket): string {
  const { _handle: handle } = socket as { _handle?: { readonly writeQueueSize?: number } | null };
  return `${socket.bytesWritten} ${handle?.writeQueueSize ?? socket.writableLength}`;
}

/**
 * A text that changes when the client acknowledges bytes; constant on systems other than Linux. The kernel takes more bytes only
 * when a third of its buffer of some MB is free: for a client that reads 20 kB/s, `sendProgress` does not change for a minute.
 *
 * @param maxAgeMs of the table of connections, so that one read of it serves all slow responses
 */
async function acknowledgedProgress({ localPort, remotePort }: Socket, maxAgeMs: number) {
  if (sendQueues === undefined || performance.now() - sendQueues.readAt > maxAgeMs)
    sendQueues = { readAt: performance.now(), byPorts: readSendQueues() };
  return (await sendQueues.byPorts).get(`${localPort} ${remotePort}`);
}

let sendQueues: { readonly readAt: number; readonly byPorts: ReturnType<typeof readSendQueues> } | undefined;

/** A line of the table: local address and port, remote address and port, state, bytes in the send queue. */
const CONNECTION = /:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+ ([0-9A-F]+):/g;

async function readSendQueues() {
  const files = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];
  const tables = await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => '')));
  const queues = new Map<string, string>();
  for (const [, local = '', remote = '', queued = ''] of tables.join('').matchAll(CONNECTION)) {
    const ports = `${Number.parseInt(local, 16)} ${Number.parseInt(remote, 16)}`;
    // Clients of several addresses can have the same port.
    queues.set(ports, `${queues.get(ports) ?? ''} ${queued}`);
  }
  return queues;
}
