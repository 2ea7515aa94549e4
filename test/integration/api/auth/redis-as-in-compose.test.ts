import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { scriptOf, serviceOf } from '../../../support/documents/compose.ts';
import { newFolder } from '../../../support/test-run.ts';

const PASSWORD = 'redis-password';

type RedisAsInCompose = {
  readonly client: Redis;
  /** Whether the health check of the container succeeds. */
  isHealthy(): Promise<boolean>;
  kill(): Promise<void>;
};

/**
 * Starts Redis by the command of docker-compose.yml, with its data in `folder/data`.
 *
 * @param options of redis-server in addition to those of the command
 */
async function startRedisAsInCompose(folder: string, options = ''): Promise<RedisAsInCompose> {
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
      new Promise((resolve) => execFile('sh', ['-c', check], (error) => resolve(error === null))),
    async kill() {
      client.disconnect();
      server.kill('SIGKILL');
      await exited;
    },
  };
}

describe('the Redis of docker-compose.yml', () => {
  const folder = newFolder();
  const started: RedisAsInCompose[] = [];
  const start = async (home: string, options = '') => {
    const redis = await startRedisAsInCompose(home, options);
    started.push(redis);
    return redis;
  };
  after(async () => {
    for (const redis of started) await redis.kill();
  });

  it('writes each change to disk before it acknowledges it, and evicts nothing', async () => {
    const redis = await start(join(folder, 'settings'));
    const settings = (await redis.client.config('GET', 'append*', 'maxmemory*', 'save')) as string[];
    const settingOf = (name: string) => settings[settings.indexOf(name) + 1];
    await redis.kill();
    assert.deepEqual(['appendonly', 'appendfsync', 'maxmemory', 'maxmemory-policy', 'save'].map(settingOf), [
      'yes',
      'always',
      `${192 * 1024 * 1024}`,
      'noeviction',
      '',
    ]);
  });

  it('is not healthy while it loads its data, nor for a client without the password', async () => {
    const home = join(folder, 'loading');
    const before = await start(home);
    assert.ok(await before.isHealthy());
    const changes = before.client.pipeline();
    for (let n = 0; n < 20_000; n += 1) changes.set('filler', n);
    await changes.exec();
    await before.kill();

    // Microseconds for each change; Redis answers once in 1,024 changes.
    const loading = await start(home, '--key-load-delay 100');
    assert.equal(await loading.isHealthy(), false);
    while (!(await loading.isHealthy())) await sleep(100);
    const stranger = loading.client.duplicate({ password: '' });
    await assert.rejects(stranger.ping(), /NOAUTH/);
    stranger.disconnect();
    await loading.kill();
  });
});
