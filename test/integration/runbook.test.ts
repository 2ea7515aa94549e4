import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { issueKey } from '../../api/auth/key-store.ts';
import { redisKeyStore } from '../../api/auth/key-store-redis.ts';
import { migrate } from '../../clickhouse/schema.ts';
import { documentedCommands } from '../support/documents/commands.ts';
import { freePort, joinEngineWithLogins, OPEN_ENGINE } from '../support/engine/engine.ts';
import { ROOT } from '../support/process.ts';
import { newFolder } from '../support/test-run.ts';

const RUNBOOK = 'docs/operations/runbook.md';
const BACKUP = 'docs/operations/backup.md';

/** Runs shell commands; `sudo` needs no password here. */
const sh = (script: string, cwd: string, path = '') =>
  promisify(execFile)('sh', ['-ec', `sudo() { "$@"; }\n${script}`], {
    cwd,
    env: { ...process.env, PATH: `${path}:${process.env.PATH}` },
  });

describe('the runbook on one machine', () => {
  it('answers every statement that needs no server of its own, by the function of the first look', async () => {
    const folder = newFolder();
    const engine = await joinEngineWithLogins(join(folder, 'data'));
    try {
      await migrate({ url: engine.url, database: OPEN_ENGINE.database, ...engine.users.admin });
      // The request to the api is left out: none runs here.
      const firstLook = documentedCommands(RUNBOOK, 'one machine').replace(/^curl .*$/m, '');
      const text = readFileSync(join(ROOT, RUNBOOK), 'utf8');
      const everywhere = text.replace(/^<!-- with a server -->\n```sh\n[\s\S]*?^```$/gm, '');
      const statements = everywhere.match(/^sql "[^"]*"/gm) ?? [];
      assert.ok(statements.length >= 5, `${statements.length}`);
      assert.ok(statements.length < (text.match(/^sql "[^"]*"/gm) ?? []).length);
      const { stdout } = await sh([firstLook, ...statements].join('\n'), folder);
      assert.match(stdout, /^\d+\.\d+\.\d+/m);
      assert.match(stdout, /^\d{4}-\d\d-\d\d \d\d:/m);
      const refusal = await sh(
        `${firstLook}
sql "SELECT * FROM no_such_table"`,
        folder,
      ).catch((error: { readonly stdout: string }) => error);
      assert.match(refusal.stdout, /UNKNOWN_TABLE|ACCESS_DENIED/);
    } finally {
      await engine.leave();
    }
  });
});

describe('commands for the systemd units', () => {
  it('run with the settings of a unit', async () => {
    const folder = newFolder();
    const [definition = ''] = documentedCommands('docs/operations.md', 'as history').split('\n');
    const settings = join(folder, 'api.env');
    await writeFile(settings, "LOADER_CONTACT='me and you'\nDATA_DIR=/data/of/unit\n");
    const print = `sh -c 'echo "$DATA_DIR, $LOADER_CONTACT"'`;
    const as = (file: string) =>
      sh(`${definition.replace('sudo -u history', '')}\nas_history ${file} ${print}`, folder);
    assert.equal((await as(settings)).stdout, '/data/of/unit, me and you\n');
    assert.equal((await as(join(folder, 'none.env'))).stdout, '/var/lib/history, \n');
  });
});

describe('a Redis of your own', () => {
  const folder = newFolder();
  let running: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of running) await stop();
    running = [];
  });

  /** Redis with its data in a folder, and a `redis-cli` that reaches it. */
  async function start(name: string) {
    const data = join(folder, name);
    await mkdir(data, { recursive: true });
    const port = await freePort();
    const options = ['--port', `${port}`, '--dir', data, '--save', '', '--appendonly', 'yes'];
    const server = spawn(
      'redis-server',
      [...options, '--appendfsync', 'always', '--maxmemory-policy', 'noeviction'],
      {
        stdio: 'ignore',
      },
    );
    const exited = once(server, 'exit');
    const client = new Redis({ port, maxRetriesPerRequest: null, retryStrategy: () => 20 });
    client.on('error', () => {});
    await client.ping();
    const bin = join(folder, `bin-${name}`);
    await mkdir(bin, { recursive: true });
    await writeFile(
      join(bin, 'redis-cli'),
      `#!/bin/sh\nexec /usr/bin/env -i "$(PATH=$REAL_PATH command -v redis-cli)" -p ${port} "$@"\n`,
      { mode: 0o755 },
    );
    const stop = async () => {
      client.disconnect();
      server.kill('SIGTERM');
      await exited;
    };
    running.push(stop);
    return { client, data, stop, bin };
  }
  const at = (data: string, commands: string) =>
    `export REAL_PATH=\${PATH#*:}; systemctl() { :; }\n${commands.replaceAll('/var/lib/redis', data)}`;

  it('says how it is', async () => {
    const { bin, data } = await start('state');
    const { stdout } = await sh(at(data, documentedCommands(RUNBOOK, 'redis')), folder, bin);
    assert.match(stdout, /^PONG$/m);
    for (const line of [
      'maxmemory_policy:noeviction',
      'loading:0',
      'aof_enabled:1',
      'aof_last_write_status:ok',
    ])
      assert.match(stdout, new RegExp(`^${line}\\r?$`, 'm'));
  });

  it('has its keys again from a backup that was made while it ran', async () => {
    const first = await start('first');
    const keysOf = (client: Redis) => redisKeyStore(client, () => assert.fail('damaged'));
    await issueKey(keysOf(first.client), { plan: 'starter', account: 'a' });
    const before = await keysOf(first.client).list();
    assert.equal(before.length, 1);
    await sh(at(first.data, documentedCommands(BACKUP, 'keys, backup')), folder, first.bin);
    assert.deepEqual(await first.client.config('GET', 'auto-aof-rewrite-percentage'), [
      'auto-aof-rewrite-percentage',
      '100',
    ]);

    const second = await start('second');
    await second.stop();
    await sh(at(second.data, documentedCommands(BACKUP, 'keys, restore')), folder, second.bin);
    assert.ok((await readFile(join(folder, 'keys.tar'))).length > 0);
    assert.deepEqual(await keysOf((await start('second')).client).list(), before);
  });
});
