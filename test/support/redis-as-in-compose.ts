import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { scriptOf, serviceOf } from './documents/compose.ts';

const PASSWORD = 'redis-password';

export type RedisAsInCompose = {
  readonly client: Redis;
  /** Whether the health check of the container succeeds. */
  isHealthy(): Promise<boolean>;
  kill(): Promise<void>;
};

/**
 * Starts Redis by the command of docker-compose.yml, with its data in `folder/data`.
 *
 * @param options of redis-server beside those of the command
 */
export async function startRedisAsInCompose(folder: string, options = ''): Promise<RedisAsInCompose> {
  for (const name of ['data', 'secrets', 'tmp']) await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'secrets', 'redis_password'), `${PASSWORD}\n`);
  const socket = join(folder, 'socket');
  const here = (script: string) =>
    script.replace(/\/(?:run\/)?(secrets|tmp|data)\b/g, join(folder, '$1')).trim();

  const { command, healthcheck } = serviceOf('redis');
  const start = `${here(scriptOf(command))} --port 0 --unixsocket ${socket} ${options}`;
  const server = spawn('sh', ['-c', start], { stdio: 'ignore' });
  const exited = once(server, 'exit');
  const check = here(scriptOf(healthcheck?.test)).replace('redis-cli', `redis-cli -s ${socket}`);
  const client = new Redis({
    path: socket,
    password: PASSWORD,
    protocol: 2,
    enableReadyCheck: false,
    maxRetriesPerRequest: null,
    retryStrategy: () => 20,
  });
  client.on('error', () => {});
  // While Redis loads its data, it answers INFO among few commands.
  await client.info('persistence');
  return {
    client,
    isHealthy: () =>
      promisify(execFile)('sh', ['-c', check]).then(
        () => true,
        () => false,
      ),
    async kill() {
      client.disconnect();
      server.kill('SIGKILL');
      await exited;
    },
  };
}
