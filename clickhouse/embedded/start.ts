import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { exitReason } from './exit.ts';
import { identify } from './member.ts';
import { readRecord } from './record.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** One for each connection of the engine, and some for compression and files. libuv's default is 4. */
const threads = '24';

/**
 * Starts an engine process that outlives us, its output going to `DATA_DIR/engine.log`, and waits until it
 * answers. Returns why it did not start where trying again may help: another engine may just be starting or
 * stopping. Throws where only the operator can help.
 */
export async function startEngine(
  dataDir: string,
  port: number,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const logPath = join(dataDir, 'engine.log');
  const output = await open(logPath, 'a');
  const child = spawn(process.execPath, ['--import', tsx, main, dataDir, String(port)], {
    detached: true,
    stdio: ['ignore', output.fd, output.fd],
    env: { ...process.env, UV_THREADPOOL_SIZE: threads },
  });
  child.unref();
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  exited.catch(() => {});
  await output.close();
  for (;;) {
    if (signal?.aborted) {
      child.kill();
      throw signal.reason;
    }
    const ended = await Promise.race([exited, sleep(50)]);
    if (ended) return judge(ended.code, ended.signal);
    // The record is written once the engine answers.
    if ((await readRecord(dataDir))?.pid === child.pid) return undefined;
  }

  async function judge(code: number | null, killedBy: string | null): Promise<string> {
    const reason = exitReason(code);
    if (reason === 'libraryMissing') {
      throw new Error(
        'The embedded ClickHouse needs the optional package chdb, which is not installed or has no build for this ' +
          `platform (${process.platform}-${process.arch}): run npm install with optional dependencies, or set ` +
          `CLICKHOUSE_URL to a ClickHouse server. Details: ${logPath}`,
      );
    }
    if (reason === 'portTaken') {
      const holder = await identify(port);
      if (holder?.dataDir === dataDir) return 'another engine was faster';
      const by = holder ? `the embedded ClickHouse of ${holder.dataDir}` : 'something else';
      throw new Error(
        `Port ${port} on 127.0.0.1 is already taken by ${by}: set EMBEDDED_CLICKHOUSE_PORT to a free port`,
      );
    }
    if (reason === 'directoryNotOpened') return `its data directory cannot be opened, see ${logPath}`;
    throw new Error(`The embedded ClickHouse ended with ${killedBy ?? `exit code ${code}`}, see ${logPath}`);
  }
}
