import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/engine/engine.ts';
import { newFolder } from '../support/test-run.ts';
import { accepts } from './server.ts';

/** Where Debian's package `zookeeper` installs the program. */
const JAR = '/usr/share/java/zookeeper.jar';
const MAIN = 'org.apache.zookeeper.server.ZooKeeperServerMain';
const READY_MS = 30_000;

export type ZooKeeper = { readonly port: number; stop(): Promise<void> };

export function isZooKeeperInstalled(): boolean {
  return existsSync(JAR);
}

/** ClickHouse's replicated tables use ZooKeeper and ClickHouse Keeper by the same protocol. */
export async function startZooKeeper(): Promise<ZooKeeper> {
  const folder = newFolder();
  const port = await freePort();
  const config = join(folder, 'zoo.cfg');
  await writeFile(
    config,
    `dataDir=${folder}\nclientPort=${port}\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\n`,
  );
  const server = spawn('java', ['-Xmx64m', '-cp', JAR, MAIN, config], { stdio: 'ignore' });
  const exited = once(server, 'exit');
  const deadline = performance.now() + READY_MS;
  while (!(await accepts(port))) {
    if (server.exitCode !== null || performance.now() > deadline)
      throw new Error('ZooKeeper did not start: is there a program `java`?');
    await sleep(50);
  }
  return {
    port,
    async stop() {
      server.kill('SIGKILL');
      await exited;
    },
  };
}
