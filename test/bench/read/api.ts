import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueKey } from '../../../api/auth/key-store.ts';
import { fileKeyStore } from '../../../api/auth/key-store-file.ts';
import { archiveEnvironment, type BenchEngine } from '../embedded-engine.ts';
import { type HttpResponse, openHttpClient } from '../http-client.ts';
import { nodeArguments, ROOT } from '../npm-script.ts';
import { type Resident, residentMemory } from '../process-usage.ts';
import { pathOf, type Query } from './queries.ts';

/** The service as an operator starts it, over the archive of the benchmark. */
export type Api = {
  /** Requests a page. Each request takes the next API key. */
  page(query: Query): Promise<HttpResponse>;
  resident(): Resident;
  stop(): Promise<void>;
};

/** 100 requests a second each: more than two cores can serve. The key file is read on every request. */
const KEYS = 40;

export async function startApi(engine: BenchEngine): Promise<Api> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-api-'));
  const store = fileKeyStore(join(dataDir, 'keys.jsonl'));
  const keys: string[] = [];
  for (let n = 0; n < KEYS; n += 1)
    keys.push(await issueKey(store, { plan: 'professional', account: 'bench' }));
  const child = spawn(process.execPath, await nodeArguments('start'), {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...archiveEnvironment(engine.api),
      DATA_DIR: dataDir,
      DEMO: 'off',
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const http = openHttpClient(await readyUrl(child));
  let next = 0;
  return {
    page({ encoding = 'identity', ...query }) {
      const authorization = `Bearer ${keys[next++ % KEYS]}`;
      return http.get(pathOf(query), { authorization, 'accept-encoding': encoding });
    },
    resident: () => residentMemory(child.pid ?? 0),
    async stop() {
      http.close();
      const exited = once(child, 'exit');
      child.kill();
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Throws where the answer is no page: a failed request is no measurement. */
export async function requestPage(api: Api, query: Query): Promise<HttpResponse> {
  const response = await api.page(query);
  if (response.status !== 200) throw new Error(`${query.name}: ${response.status} ${response.body}`);
  return response;
}

async function readyUrl(child: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`The api ended: ${output}`)));
    // Also the log that follows the ready line is read, because a full pipe would block the api.
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < 10_000) output += text;
      const url = /listening on (http:\S+)/.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}
