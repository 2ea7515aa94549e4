import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { serviceOf } from '../documents/compose.ts';
import { freePort } from './engine.ts';

/** Passwords of the server, as its environment names them. */
export const PASSWORDS = {
  HISTORY_API_PASSWORD: 'api-password',
  HISTORY_LOADER_PASSWORD: 'loader-password',
  HISTORY_ADMIN_PASSWORD: 'admin-password',
} as const;

export type ServerAsInCompose = {
  readonly url: string;
  /** Runs a statement as `default`, as `clickhouse-client` in the container does; throws what the server says. */
  run(statement: string): Promise<string>;
  /** Everything that the server has printed. */
  output(): Promise<string>;
  kill(): Promise<void>;
};

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PROGRAM = join(ROOT, 'test/cluster/server-process.ts');
const READY_MS = 120_000;

/** What the image of the server has before the mounted files are merged into it. */
const CONFIG_OF_IMAGE = '<clickhouse><users_config>users.xml</users_config></clickhouse>';
const USERS_OF_IMAGE = `<clickhouse>
  <profiles><default/></profiles>
  <quotas><default/></quotas>
  <users><default>
    <password/>
    <networks><ip>::/0</ip></networks>
    <profile>default</profile>
    <quota>default</quota>
  </default></users>
</clickhouse>`;

/**
 * A ClickHouse server out of the npm package with the files that docker-compose.yml mounts, but for
 * `config.d/history.xml`: this program has an option of the name `compression` and cannot read that section.
 */
export async function startServerAsInCompose(folder: string, backups: string): Promise<ServerAsInCompose> {
  await mkdir(join(folder, 'config.d'), { recursive: true });
  await mkdir(join(folder, 'users.d'));
  await writeFile(join(folder, 'config.xml'), CONFIG_OF_IMAGE);
  await writeFile(join(folder, 'users.xml'), USERS_OF_IMAGE);
  for (const volume of serviceOf('clickhouse').volumes ?? []) {
    const [source = '', target = ''] = volume.split(':');
    const [, path] = /^\/etc\/clickhouse-server\/(.*)$/.exec(target) ?? [];
    if (path !== undefined && path !== 'config.d/history.xml')
      await symlink(join(ROOT, source), join(folder, path));
  }
  const [http, tcp] = [await freePort(), await freePort()];
  const log = await open(join(folder, 'output'), 'w');
  const server = fork(PROGRAM, [folder, `${http}`, `${tcp}`], {
    execArgv: ['--import', 'tsx'],
    env: {
      PATH: process.env.PATH,
      CLICKHOUSE_DATABASE: 'history',
      HISTORY_BACKUPS: backups,
      ...PASSWORDS,
    },
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
  });
  const exited = once(server, 'exit');
  await log.close();
  const url = `http://127.0.0.1:${http}`;
  const output = () => readFile(join(folder, 'output'), 'utf8');
  for (const deadline = performance.now() + READY_MS; !(await answers(url)); await sleep(20))
    if (server.exitCode !== null || performance.now() > deadline) {
      server.kill('SIGKILL');
      throw new Error(`The server did not start: ${await output()}`);
    }
  return {
    url,
    output,
    async run(statement) {
      const response = await fetch(`${url}/?wait_end_of_query=1`, { method: 'POST', body: statement });
      const text = await response.text();
      if (!response.ok) throw new Error(text);
      return text.trim();
    },
    async kill() {
      server.kill('SIGKILL');
      await exited;
    },
  };
}

function answers(url: string): Promise<boolean> {
  return fetch(`${url}/ping`).then(
    ({ ok }) => ok,
    () => false,
  );
}
