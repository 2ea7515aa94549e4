import { createServer, type Server, type Socket } from 'node:net';
import type { Fault } from './fault.ts';
import { outage, type RedisGroup } from './redis-group.ts';
import type { RedisServer } from './redis-server.ts';

/** So many keys, each loaded with this delay, that Redis answers LOADING for two seconds. */
const LOADING = { keys: 4000, delayMicroseconds: 500 };

const garbage = { server: undefined as Server | undefined, sockets: new Set<Socket>() };

export const REDIS_OUTAGES: readonly Fault<RedisGroup>[] = [
  outage({
    name: 'Redis is killed',
    action: 'SIGKILL under traffic; started again with its data after 1.5 s',
    async begin({ admin, kill }) {
      await save(admin);
      await kill('SIGKILL');
    },
    end: (redis) => redis.start(),
  }),
  outage({
    name: 'Redis is silent',
    action: 'the connections stay open and no byte passes',
    begin: async ({ relay }) => relay.silence(),
    end: ({ relay }) => relay.restore(),
  }),
  outage({
    name: 'Redis refuses connections',
    action: 'its port is closed, open connections end',
    begin: ({ relay }) => relay.refuse(),
    end: ({ relay }) => relay.restore(),
  }),
  outage({
    name: 'Redis is frozen',
    action: 'SIGSTOP, then SIGCONT',
    begin: ({ kill }) => kill('SIGSTOP'),
    end: ({ kill }) => kill('SIGCONT'),
  }),
  outage({
    name: 'Redis is paused',
    action: 'CLIENT PAUSE ALL for 2.5 s',
    async begin({ admin }) {
      await admin.call('CLIENT', 'PAUSE', '2500', 'ALL');
    },
    async end({ admin }) {
      // While the pause lasts, CLIENT UNPAUSE waits too.
      await admin.ping();
    },
  }),
  outage({
    name: 'Redis is loading',
    action: 'killed, then started with data that takes two seconds to load: LOADING',
    async begin({ admin, kill, start }) {
      const filler = Array.from({ length: LOADING.keys }, (_, at) => [`filler:${at}`, 'x']).flat();
      await admin.mset(...filler);
      await save(admin);
      await kill('SIGKILL');
      await start(
        '--key-load-delay',
        String(LOADING.delayMicroseconds),
        '--loading-process-events-interval-bytes',
        '1024',
      );
    },
    async end({ admin }) {
      while (/loading:1/.test(await admin.info('persistence'))) await new Promise((r) => setTimeout(r, 20));
    },
  }),
  outage({
    name: 'Redis is out of memory',
    action: 'CONFIG SET maxmemory 1: PING answers, a write does not',
    begin: (redis) => configure(redis, 'maxmemory', '1'),
    end: (redis) => configure(redis, 'maxmemory', '0'),
  }),
  outage({
    name: 'Redis is read-only',
    action: 'REPLICAOF another server: READONLY, then REPLICAOF NO ONE',
    async begin({ admin }) {
      await admin.config('SET', 'replica-serve-stale-data', 'yes');
      await admin.replicaof('127.0.0.1', 1);
    },
    async end({ admin }) {
      await admin.replicaof('NO', 'ONE');
    },
  }),
  outage({
    name: "Redis's password changes",
    action: 'CONFIG SET requirepass, and all connections are closed; then the old password again',
    async begin(redis) {
      await configure(redis, 'requirepass', 'other');
      await redis.admin.call('AUTH', 'other');
      await redis.admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    },
    end: (redis) => configure(redis, 'requirepass', ''),
  }),
  outage({
    name: 'Redis answers garbage',
    action: 'another program listens on its port and answers bytes that are no reply',
    async begin({ admin, kill }) {
      await save(admin);
      await kill('SIGKILL');
      await listenWithGarbage(admin.options.port ?? 0);
    },
    async end(redis) {
      for (const socket of garbage.sockets) socket.destroy();
      await new Promise((resolve) => garbage.server?.close(resolve));
      await redis.start();
    },
  }),
];

async function save(admin: RedisServer['admin']): Promise<void> {
  await admin.call('SAVE');
}

async function configure({ admin }: RedisServer, name: string, value: string): Promise<void> {
  await admin.config('SET', name, value);
}

async function listenWithGarbage(port: number): Promise<void> {
  garbage.server = createServer((socket) => {
    garbage.sockets.add(socket);
    socket.on('error', () => {}).on('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n\x00\xff'));
  });
  await new Promise<void>((resolve) => garbage.server?.listen(port, '127.0.0.1', resolve));
}
