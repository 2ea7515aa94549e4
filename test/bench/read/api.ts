import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueKey } from '../../../api/auth/key-store.ts';
import { fileKeyStore } from '../../../api/auth/key-store-file.ts';
import { nodeArguments, ROOT } from '../../support/process.ts';
import { archiveEnvironment, type BenchEngine } from '../embedded-engine.ts';
import { type Download, type HttpResponse, openHttpClient } from '../http-client.ts';
import { peakMegabytes, type Resident, residentMemory } from '../process-usage.ts';
import { type BenchArchive, openBenchArchive } from './archive.ts';
import { pathOf, type Query } from './queries.ts';

/** The service as an operator starts it, over the archive of the benchmark. */
export type Api = {
  readonly url: string;
  /** Requests a page. Each request takes the next API key. */
  page(query: Query, headers?: Readonly<Record<string, string>>): Promise<HttpResponse>;
  /** Reads a response without compression, and passes its bytes to `onChunk`. */
  download(path: string, onChunk?: (chunk: Buffer) => void): Promise<Download>;
  /** The header with the next API key. */
  authorization(): string;
  resident(): Resident;
  /** The most memory that the process has had since its start. */
  peakMegabytes(): Promise<number>;
  stop(): Promise<void>;
};

export const PAGE_CACHE_MEGABYTES = 64;

/** 100 requests a second each: more than two cores can serve. The key file is read on every request. */
const KEYS = 40;

export async function startApi({ api: archive }: Pick<BenchEngine, 'api'>): Promise<Api> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-api-'));
  const store = fileKeyStore(join(dataDir, 'keys.jsonl'));
  const keys: string[] = [];
  for (let n = 0; n < KEYS; n += 1)
    keys.push(await issueKey(store, { plan: 'professional', account: 'bench' }));
  const child = spawn(process.execPath, nodeArguments('start'), {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...archiveEnvironment(archive),
      DATA_DIR: dataDir,
      DEMO: 'off',
      PAGE_CACHE_MB: String(PAGE_CACHE_MEGABYTES),
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await readyUrl(child);
  const http = openHttpClient(url);
  const pid = child.pid ?? 0;
  let next = 0;
  const authorization = () => `Bearer ${keys[next++ % KEYS]}`;
  return {
    url,
    page({ encoding = 'identity', ...query }, headers) {
      return http.get(pathOf(query), {
        authorization: authorization(),
        'accept-encoding': encoding,
        ...headers,
      });
    },
    async download(path, onChunk) {
      const headers = { authorization: authorization(), 'accept-encoding': 'identity' };
      const download = await http.download({ path, headers }, onChunk);
      if (download.status !== 200) throw new Error(`${path}: ${download.status}`);
      return download;
    },
    authorization,
    resident: () => residentMemory(pid),
    peakMegabytes: () => peakMegabytes(pid),
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
export async function requestPage(
  api: Pick<Api, 'page'>,
  query: Query,
  headers?: Readonly<Record<string, string>>,
): Promise<HttpResponse> {
  const response = await api.page(query, headers);
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

/** An archive of so many reports and the api over it, for as long as the work lasts. */
export async function withBenchApi<T>(
  { rows, data }: { readonly rows: number; readonly data: string },
  work: (archive: BenchArchive, api: Api) => Promise<T>,
): Promise<T> {
  const archive = await openBenchArchive(rows, data);
  try {
    const api = await startApi(archive.engine);
    return await work(archive, api).finally(() => api.stop());
  } finally {
    await archive.close();
  }
}
