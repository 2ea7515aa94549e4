import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { issueKey, type KeyStore } from '../../api/auth/key-store.ts';
import { fileKeyStore } from '../../api/auth/key-store-file.ts';
import type { Plan } from '../../api/rate-limit/plans.ts';
import { nodeArguments, ROOT } from '../bench/npm-script.ts';
import { freePort } from '../support/engine/engine.ts';
import { recordOf } from '../support/engine/engine-directory.ts';
import { copyOfArchive } from './archive.ts';

const READY = /listening on (http:\/\/\S+)\n/;

/** The program as `npm start` runs it, over its own copy of the archive. */
export type Service = {
  readonly url: string;
  readonly pid: number;
  readonly dataDir: string;
  readonly keys: KeyStore;
  createKey(plan?: Plan): Promise<string>;
  isRunning(): boolean;
  /** Everything that it printed. */
  output(): string;
  /** Of the api's process, at this moment. */
  residentMegabytes(): Promise<number>;
  /** Resolves with the exit code, null after a signal. */
  readonly exit: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
  enginePid(): Promise<number>;
  /** Stops it where it runs, and removes its data. */
  stop(): Promise<void>;
};

export type ServiceOptions = {
  readonly settings?: Readonly<Record<string, string>>;
  readonly dataDir?: string;
  /** Where its keys are, with `REDIS_URL`. */
  readonly keys?: KeyStore;
};

export async function startService({ settings = {}, ...given }: ServiceOptions = {}): Promise<Service> {
  const dataDir = given.dataDir ?? (await copyOfArchive());
  const started = await spawnApi({
    DATA_DIR: dataDir,
    PORT: '0',
    DEMO: 'off',
    EMBEDDED_CLICKHOUSE_PORT: String(await freePort()),
    ...settings,
  });
  const { child, output, exit } = started;
  const url = await readyUrl(started);
  const keys = given.keys ?? fileKeyStore(join(dataDir, 'keys.jsonl'));
  return {
    url,
    pid: child.pid ?? 0,
    dataDir,
    keys,
    createKey: (plan = 'professional') => issueKey(keys, { plan, account: 'faults' }),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    output,
    residentMegabytes: () => residentMegabytes(child.pid ?? 0),
    exit,
    kill: (signal) => void child.kill(signal),
    enginePid: async () => (await recordOf(dataDir)).pid,
    async stop() {
      const engine = await recordOf(dataDir).catch(() => undefined);
      child.kill('SIGTERM');
      const deadline = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await exit;
      clearTimeout(deadline);
      if (engine !== undefined) killQuietly(engine.pid);
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

export type Started = {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exit: Promise<number | null>;
};

/** Starts the api with these settings and no others. */
export async function spawnApi(settings: Readonly<Record<string, string>>): Promise<Started> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, await nodeArguments('start'), {
    cwd: ROOT,
    env: { PATH, HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  return { child, output: () => text, exit: once(child, 'close').then(([code]) => code) };
}

/** The URL of the line that says that the api listens. Throws when it exits before. */
export async function readyUrl({ child, output, exit }: Started): Promise<string> {
  let hasExited = false;
  void exit.then(() => {
    hasExited = true;
  });
  for (;;) {
    const url = READY.exec(output())?.[1];
    if (url !== undefined) return url;
    if (hasExited) throw new Error(`The api exited: ${output().slice(-500)}`);
    await Promise.race([once(child.stdout ?? child, 'data'), exit]);
  }
}

export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

export function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
