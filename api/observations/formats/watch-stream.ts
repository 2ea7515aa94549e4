import type { Socket } from 'node:net';
import { acknowledgedProgress, sendProgress } from '../../http/response/reading-progress.ts';

const LOOK_MS = 2000;

export type StreamTimeouts = {
  /** A client that takes nothing for this time is closed (D33). */
  readonly clientMs: number;
  /** So long may the storage send nothing while the client waits. */
  readonly storageMs: number;
};

/**
 * Watches the progress of a stream until the returned function is called. It adds up the intervals of
 * its timer and does not read a clock: the time in which this process does not run (on a suspended machine, or during a long
 * garbage collection) does not count as silence.
 *
 * @param onSilence is called once, with the one that the stream waits for
 */
export function watchStream(
  socket: Socket,
  { clientMs, storageMs }: StreamTimeouts,
  onSilence: (silent: 'client' | 'storage') => void,
): () => void {
  let sent = '';
  let acknowledged: string | undefined;
  let silentMs = 0;
  let isStopped = false;
  const intervalMs = Math.min(LOOK_MS, clientMs / 10);
  const look = async () => {
    const [sentBefore, acknowledgedBefore] = [sent, acknowledged];
    sent = sendProgress(socket);
    // Only where the connection seems to make no progress: it reads a table of all connections.
    acknowledged = sent === sentBefore ? await acknowledgedProgress(socket) : undefined;
    if (isStopped) return;
    if (sent !== sentBefore || acknowledged !== (acknowledgedBefore ?? acknowledged)) {
      silentMs = 0;
      return;
    }
    silentMs += intervalMs;
    const silent = socket.writableLength > 0 ? 'client' : 'storage';
    if (silentMs < (silent === 'client' ? clientMs : storageMs)) return;
    stop();
    onSilence(silent);
  };
  const timer = setInterval(look, intervalMs);
  const stop = () => {
    isStopped = true;
    clearInterval(timer);
  };
  return stop;
}
