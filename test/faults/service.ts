import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { issueKey } from '../../api/auth/key-store.ts';
import { fileKeyStore } from '../../api/auth/key-store-file.ts';
import type { Plan } from '../../api/rate-limit/rate-limit.ts';
import { freePort, recordOf } from '../support/engine/engine.ts';
import { listeningUrl, run } from '../support/process.ts';
import { residentMegabytes } from '../support/process-usage.ts';
import { copyOfArchive } from './archive.ts';

/** The program as `npm start` runs it, over its own copy of the archive. */
export type Service = {
  readonly url: string;
  readonly pid: number;
  readonly dataDir: string;
  createKey(plan?: Plan): Promise<string>;
  isRunning(): boolean;
  /** Of the api's process, at this moment. */
  residentMegabytes(): Promise<number>;
  /** Resolves with the exit code, null after a signal. */
  readonly exit: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
  enginePid(): Promise<number>;
  /** Stops it if it runs, and removes its data. */
  stop(): Promise<void>;
};

type ServiceOptions = {
  readonly settings?: Readonly<Record<string, string>>;
  readonly dataDir?: string;
  /** Is called with the pid of the api before it starts the engine. */
  readonly prepare?: (pid: number) => Promise<void>;
};

export async function startService({ settings = {}, ...given }: ServiceOptions = {}): Promise<Service> {
  const dataDir = given.dataDir ?? (await copyOfArchive());
  const api = run('start', [], {
    DATA_DIR: dataDir,
    PORT: '0',
    DEMO: 'off',
    ...(await enginePort()),
    ...settings,
  });
  await given.prepare?.(api.pid);
  const url = await listeningUrl(api);
  const exit = api.finished.then(({ code }) => code);
  const keys = fileKeyStore(join(dataDir, 'keys.jsonl'));
  return {
    url,
    pid: api.pid,
    dataDir,
    createKey: (plan = 'professional') => issueKey(keys, { plan, account: 'faults' }),
    isRunning: api.isRunning,
    residentMegabytes: () => residentMegabytes(api.pid),
    exit,
    kill: api.kill,
    enginePid: async () => (await recordOf(dataDir)).pid,
    async stop() {
      const engine = await recordOf(dataDir).catch(() => undefined);
      api.kill('SIGTERM');
      const deadline = setTimeout(() => api.kill('SIGKILL'), 15_000);
      await exit;
      clearTimeout(deadline);
      if (engine !== undefined) killQuietly(engine.pid);
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

export function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** A port for an engine that a program starts by itself. */
export async function enginePort(): Promise<Readonly<Record<string, string>>> {
  return { EMBEDDED_CLICKHOUSE_PORT: String(await freePort()) };
}
