import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../read/api.ts';
import { pathOf } from '../read/queries.ts';
import type { FreshRange } from './fresh-ranges.ts';

export const SLOW_READERS = 300;

const SECONDS = 20;
/** Far apart enough for the requests not to wait for one another. */
const SECONDS_TO_START = 10;
const BYTES_PER_SECOND = 1024;
/** 2 MB. */
const LIMIT = 10_000;

/** 300 clients ask for a large page each and read a kilobyte of it a second. */
export async function runSlowReaders(
  api: Api,
  stations: readonly string[],
  freshRange: FreshRange,
): Promise<void> {
  const sockets: Socket[] = [];
  try {
    for (let n = 0; n < SLOW_READERS; n += 1) {
      const query = freshRange('slow', stations[n % stations.length] ?? '', LIMIT);
      sockets.push(await openReader(api, pathOf(query)));
      await sleep((SECONDS_TO_START * 1000) / SLOW_READERS);
      if (n % 30 === 0) readFrom(sockets);
    }
    for (let second = 0; second < SECONDS; second += 1) {
      await sleep(1000);
      readFrom(sockets);
    }
    const answered = sockets.filter(({ bytesRead }) => bytesRead > 0).length;
    if (answered < SLOW_READERS / 2) throw new Error(`Only ${answered} slow readers received something`);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** A paused socket reads some kilobytes ahead; the rest fills the buffers of the kernel and then those of the api. */
async function openReader(api: Api, path: string): Promise<Socket> {
  const { hostname, port } = new URL(api.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${api.authorization()}\r\n\r\n`);
  return socket;
}

function readFrom(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.read(BYTES_PER_SECOND);
}
