import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { issueKey } from '../../api/auth/key-store.ts';
import { fileKeyStore } from '../../api/auth/key-store-file.ts';
import { type Answer, openAsker } from './ask.ts';
import type { BuiltArchive } from './read-archive.ts';
import { pathOf, type Query } from './read-queries.ts';

/** The service as an operator starts it, over the archive of the benchmark. */
export type Api = {
  /** Asks for a page with the next of its keys. */
  page(query: Query): Promise<Answer>;
  /** Resident megabytes: the largest of its processes, and how many they are. */
  resident(): { readonly megabytes: number; readonly processes: number };
  stop(): Promise<void>;
};

/** 100 requests a second each: more than two cores can answer. The file of keys is read on every request. */
const KEYS = 40;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export async function startApi({ url, database }: BuiltArchive): Promise<Api> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-api-'));
  const store = fileKeyStore(join(dataDir, 'keys.jsonl'));
  const keys: string[] = [];
  for (let n = 0; n < KEYS; n += 1)
    keys.push(await issueKey(store, { plan: 'professional', account: 'bench' }));
  const child = spawn(process.execPath, ['--import', 'tsx', 'api/main.ts'], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      CLICKHOUSE_URL: url,
      CLICKHOUSE_DATABASE: database,
      DATA_DIR: dataDir,
      DEMO: 'off',
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const asker = openAsker(await listening(child));
  const headers = keys.map((key) => ({ authorization: `Bearer ${key}` }));
  let next = 0;
  return {
    page({ encoding = 'identity', ...query }) {
      const authorization = headers[next++ % KEYS] ?? {};
      return asker.get(pathOf(query), { ...authorization, 'accept-encoding': encoding });
    },
    resident: () => residentOf(child.pid ?? 0),
    async stop() {
      asker.close();
      const exited = once(child, 'exit');
      child.kill();
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function listening(child: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`The api ended: ${said}`)));
    // Its log goes on being read, for a full pipe would stop it.
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (said.length < 10_000) said += text;
      const url = /listening on (http:\S+)/.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}

/** The process and whatever it has started, without the compiler of tsx. */
function residentOf(root: number): { megabytes: number; processes: number } {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,rss=,comm='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const family = new Set([String(root)]);
  for (const [pid = '', parent = ''] of rows) if (family.has(parent)) family.add(pid);
  const sizes = rows
    .filter(([pid = '', , , command]) => family.has(pid) && command !== 'esbuild')
    .map(([, , kilobytes]) => Number(kilobytes) / 1024);
  return { megabytes: Math.round(Math.max(0, ...sizes)), processes: sizes.length };
}
