import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueKey } from '../../../api/auth/key-store.ts';
import { fileKeyStore } from '../../../api/auth/key-store-file.ts';
import { listeningUrl, run } from '../../support/process.ts';
import { cpuSeconds } from '../../support/process-usage.ts';
import { archiveEnvironment, type BenchEngine } from '../engine.ts';
import { type Download, type HttpResponse, openHttpClient } from '../http-client.ts';
import { sum } from '../results.ts';
import { type BenchArchive, openBenchArchive } from './archive.ts';
import { pathOf, type Query } from './queries.ts';

type Headers = Readonly<Record<string, string>>;

/** The service as an operator starts it, over the archive of the benchmark. Each request takes the next API key. */
export type Api = {
  readonly pid: number;
  page(query: Query, headers?: Headers): Promise<HttpResponse>;
  /** Reads a response without compression. Throws unless it is 200 or, for an entity tag, 304. */
  get(path: string, headers?: Headers): Promise<HttpResponse>;
  /** The same without keeping the bytes, which go to `onChunk`. */
  download(path: string, onChunk?: (chunk: Buffer) => void): Promise<Download>;
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
  const program = run('start', [], {
    ...archiveEnvironment(archive),
    DATA_DIR: dataDir,
    DEMO: 'off',
    PAGE_CACHE_MB: String(PAGE_CACHE_MEGABYTES),
    PORT: '0',
  });
  const http = openHttpClient(await listeningUrl(program));
  let next = 0;
  const withKey = (headers?: Headers) => ({
    authorization: `Bearer ${keys[next++ % KEYS]}`,
    'accept-encoding': 'identity',
    ...headers,
  });
  const check = <T extends Download>(response: T, path: string): T => {
    if (response.status !== 200 && response.status !== 304) throw new Error(`${path}: ${response.status}`);
    return response;
  };
  return {
    pid: program.pid,
    page: ({ encoding = 'identity', ...query }, headers) =>
      http.get(pathOf(query), withKey({ 'accept-encoding': encoding, ...headers })),
    get: async (path, headers) => check(await http.get(path, withKey(headers)), path),
    download: async (path, onChunk) => check(await http.download(path, withKey(), onChunk), path),
    async stop() {
      http.close();
      program.kill('SIGTERM');
      await program.finished;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Throws where the answer is no page: a failed request is no measurement.
 *
 * @param etag of the page, which has to be answered with 304
 */
export async function requestPage(
  api: Pick<Api, 'page'>,
  query: Query,
  etag?: string | undefined,
): Promise<HttpResponse> {
  const response = await api.page(query, etag === undefined ? {} : { 'if-none-match': etag });
  if (response.status !== (etag === undefined ? 200 : 304))
    throw new Error(`${query.name}: ${response.status} ${response.body}`);
  return response;
}

/** CPU of an api and its engine so far, in milliseconds. */
export function cpuClock(api: Pick<Api, 'pid'>, engine: Pick<BenchEngine, 'pid'>): () => Promise<number> {
  return async () => 1000 * sum(await Promise.all([api.pid, engine.pid].map(cpuSeconds)));
}

/** An archive of this many reports and the api over it, while the work lasts. */
export async function withBenchApi<T>(
  { rows, data }: { readonly rows: string; readonly data: string },
  work: (archive: BenchArchive, api: Api) => Promise<T>,
): Promise<T> {
  if (!/^\d{1,9}$/.test(rows)) throw new Error(`--rows ${rows} is not a whole number`);
  const archive = await openBenchArchive(Number(rows), data);
  try {
    const api = await startApi(archive.engine);
    return await work(archive, api).finally(() => api.stop());
  } finally {
    await archive.close();
  }
}
