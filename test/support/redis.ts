import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

/** A real Redis behind a relay, through which a test can take it away and give it back. */
export type TestRedis = {
  readonly url: string;
  /** From now on connections are refused, and those that stand are cut: a stopped server. */
  refuse(): Promise<void>;
  /** From now on connections are accepted and nothing is answered: a server that hangs. */
  silence(): void;
  /** Answers again. */
  restore(): Promise<void>;
  stop(): Promise<void>;
};

/** `redis-server` from the path, or the server at `REDIS_URL`; the relay takes a free port. */
export async function startTestRedis(): Promise<TestRedis> {
  const given = process.env.REDIS_URL;
  const server = given ? serverAt(new URL(given)) : await startServer();
  const relay = await openRelay(server.address);
  return {
    ...relay,
    url: `redis://${server.login}127.0.0.1:${relay.port}`,
    async stop() {
      await relay.refuse();
      await server.stop();
    },
  };
}

type Server = {
  readonly address: NetConnectOpts;
  /** `user:password@`, where the server asks for them. */
  readonly login: string;
  stop(): Promise<void>;
};

function serverAt({ hostname, port, username, password }: URL): Server {
  const login = password === '' ? '' : `${username}:${password}@`;
  return { address: { host: hostname, port: Number(port || 6379) }, login, stop: async () => {} };
}

/** On a socket in a folder of its own, so that no port has to be guessed. */
async function startServer(): Promise<Server> {
  const dir = await mkdtemp(join(tmpdir(), 'redis-'));
  const path = join(dir, 'socket');
  const options = ['--port', '0', '--unixsocket', path, '--save', '', '--appendonly', 'no', '--dir', dir];
  const server = spawn('redis-server', options, { stdio: 'ignore' });
  const exit = once(server, 'exit');
  try {
    await Promise.race([once(server, 'spawn'), exit]);
  } catch {
    throw new Error(
      'These tests need Redis: put redis-server on the path (Debian: apt-get install -y redis-server), or set REDIS_URL.',
    );
  }
  await Promise.race([
    answers(path),
    exit.then(() => Promise.reject(new Error('redis-server ended as it started'))),
  ]);
  return {
    address: { path },
    login: '',
    async stop() {
      server.kill();
      await exit;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function answers(path: string): Promise<void> {
  const probe = new Redis({ path, retryStrategy: () => 20, maxRetriesPerRequest: null, protocol: 2 });
  probe.on('error', () => {});
  await probe.ping().finally(() => probe.disconnect());
}

async function openRelay(server: NetConnectOpts) {
  const sockets = new Set<Socket>();
  let silent = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const relay = createServer((near) => {
    keep(near);
    const far = connect(server);
    keep(far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => !silent && to.write(bytes));
      from.on('close', () => to.destroy());
    }
  });
  const listen = async (at: number) => {
    relay.listen(at, '127.0.0.1');
    await once(relay, 'listening');
  };
  await listen(0);
  const address = relay.address();
  if (typeof address !== 'object' || address === null) throw new Error('The relay has no port');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address.port,
    async refuse() {
      if (!relay.listening) return;
      const closed = once(relay, 'close');
      relay.close();
      cut();
      await closed;
    },
    silence() {
      silent = true;
    },
    async restore() {
      // What was swallowed while silent is lost: those connections could never make sense again.
      if (silent) cut();
      silent = false;
      if (!relay.listening) await listen(address.port);
    },
  };
}
