import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { outage, type RedisGroup } from './redis-group.ts';
import type { RedisServer } from './redis-server.ts';

/** So many keys, each loaded with this delay, that Redis answers LOADING for two seconds. */
const LOADING = { keys: 4000, delayMicroseconds: 500 };

export const REDIS_OUTAGES: readonly Fault<RedisGroup>[] = [
  outage({
    name: 'Killed',
    action: 'SIGKILL under traffic; started again with its data after 1.5 s',
    async begin(redis) {
      await saveAndKill(redis);
      return () => redis.start();
    },
  }),
  outage({
    name: 'Silent',
    action: 'the connections stay open and no byte passes',
    async begin({ relay }) {
      relay.silence();
      return () => relay.restore();
    },
  }),
  outage({
    name: 'Redis refuses connections',
    action: 'its port is closed, open connections end',
    async begin({ relay }) {
      await relay.refuse();
      return () => relay.restore();
    },
  }),
  outage({
    name: 'Frozen',
    action: 'SIGSTOP, then SIGCONT',
    async begin({ kill }) {
      await kill('SIGSTOP');
      return () => kill('SIGCONT');
    },
  }),
  outage({
    name: 'Paused',
    action: 'CLIENT PAUSE ALL for 2.5 s',
    async begin({ admin }) {
      await admin.call('CLIENT', 'PAUSE', '2500', 'ALL');
      // While the pause lasts, CLIENT UNPAUSE waits too.
      return () => admin.ping();
    },
  }),
  outage({
    name: 'Loading',
    action: 'killed, then started with data that takes two seconds to load: LOADING',
    async begin(redis) {
      const filler = Array.from({ length: LOADING.keys }, (_, at) => [`filler:${at}`, 'x']).flat();
      await redis.admin.mset(...filler);
      await saveAndKill(redis);
      const delay = ['--key-load-delay', String(LOADING.delayMicroseconds)];
      await redis.start(...delay, '--loading-process-events-interval-bytes', '1024');
      return async () => {
        while (/loading:1/.test(await redis.admin.info('persistence'))) await sleep(20);
      };
    },
  }),
  outage({
    name: 'Out of memory',
    action: 'CONFIG SET maxmemory 1: PING answers, a write does not',
    async begin({ admin }) {
      await admin.config('SET', 'maxmemory', '1');
      return () => admin.config('SET', 'maxmemory', '0');
    },
  }),
  outage({
    name: 'Read-only',
    action: 'REPLICAOF another server: READONLY, then REPLICAOF NO ONE',
    async begin({ admin }) {
      await admin.replicaof('127.0.0.1', 1);
      return () => admin.replicaof('NO', 'ONE');
    },
  }),
  outage({
    name: "Redis's password changes",
    action: 'CONFIG SET requirepass, and all connections are closed; then the old password again',
    async begin({ admin }) {
      await admin.config('SET', 'requirepass', 'other');
      await admin.call('AUTH', 'other');
      await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      return () => admin.config('SET', 'requirepass', '');
    },
  }),
  outage({
    name: 'Redis answers garbage',
    action: 'another program listens on its port and answers bytes that are no reply',
    async begin(redis) {
      await saveAndKill(redis);
      const close = await listenWithGarbage(redis.admin.options.port ?? 0);
      return async () => {
        await close();
        await redis.start();
      };
    },
  }),
];

async function saveAndKill({ admin, kill }: RedisServer): Promise<void> {
  await admin.call('SAVE');
  await kill('SIGKILL');
}

/** @returns what closes the port */
async function listenWithGarbage(port: number): Promise<() => Promise<void>> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n\x00\xff'));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
}
