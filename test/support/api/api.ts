import assert from 'node:assert/strict';
import { once } from 'node:events';
import { BlockList, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectDefaultMetrics, register } from 'prom-client';
import { issueKey, type KeyStore } from '../../../api/auth/key-store.ts';
import { fileKeyStore } from '../../../api/auth/key-store-file.ts';
import { redisKeyStore } from '../../../api/auth/key-store-redis.ts';
import type { ServiceSettings } from '../../../api/config.ts';
import { openLog } from '../../../api/ops/log.ts';
import { memoryCounter, type Plan, redisCounter } from '../../../api/rate-limit/rate-limit.ts';
import { logOutages, openRedis } from '../../../api/redis.ts';
import { startService } from '../../../api/service.ts';
import { fileUsageStore, redisUsageStore } from '../../../api/usage/usage-stores.ts';
import type { Archive } from '../../../clickhouse/archive.ts';
import { openArchive } from '../../../clickhouse/client.ts';
import type { Report } from '../../../clickhouse/model/report.ts';
import { emptyArchive, insert, put, type TestArchive } from '../archive/archive.ts';
import { newFolder } from '../test-run.ts';

export const OBSERVATIONS = '/v1/history/observations';

/** A valid query without optional parameters. */
export const QUERY = 'stations=XAAA&from=2024-01-01T00:00:00Z&to=2024-02-01T00:00:00Z';

export type TestApi = {
  readonly url: string;
  readonly metricsUrl: string;
  readonly keys: KeyStore;
  /** All log lines. */
  readonly logLines: readonly string[];
  createKey(plan?: Plan): Promise<string>;
  /**
   * Sends a `GET` with a key of the plan `professional`, unless the options say otherwise; `null` sends no key. On a quick
   * machine it waits until the plan allows the next request.
   */
  get(target: string, options?: RequestOptions): Promise<Response>;
  /** The body of an answer with status 200. */
  bytes(target: string): Promise<Buffer>;
  json<Body>(target: string): Promise<Body>;
  /** The elements of `data` of all pages from this one on. */
  walk<Row = Readonly<Record<string, unknown>>>(target: string): Promise<readonly Row[]>;
  /** Sends these bytes to the service; returns everything that it sends until it closes the connection. */
  sendBytes(bytes: string): Promise<string>;
  /** As when the process ends. */
  abort(): void;
  /** As when the process is told to end: waits for the connections that `fetch` keeps. */
  drain(): Promise<void>;
  stop(): Promise<void>;
};

type RequestOptions = {
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
};

type Page<Row> = {
  readonly data: readonly Row[];
  readonly meta: { readonly hasMore: boolean; readonly nextCursor?: string };
};

type Options = Partial<ServiceSettings> & { readonly redisUrl?: string; readonly dataDir?: string };

const DEFAULTS: ServiceSettings = {
  host: '127.0.0.1',
  port: 0,
  trustedProxies: new BlockList(),
  connectionsPerAddress: 1024,
  requestSeconds: 8,
  metricsPort: undefined,
  queryLimits: { queryTimeoutSeconds: 30, queriesAtOnce: 4, streamsAtOnce: 2 },
  pageCacheBytes: 64 * 1024 * 1024,
  responseMemoryBytes: 120 * 1024 * 1024,
  limits: { dataDir: tmpdir(), memoryBytes: 492 * 1024 * 1024 },
  guestPlan: undefined,
  contact: undefined,
  archiveFiles: undefined,
  demo: false,
};

// A test of the metrics may have collected them in this process.
register.clear();
collectDefaultMetrics();

/** Starts the service in this process, with keys in a file or in Redis. */
export async function startApi(
  archive: Archive,
  { redisUrl, dataDir, ...settings }: Options = {},
): Promise<TestApi> {
  const logLines: string[] = [];
  const log = openLog({ write: (line) => logLines.push(line) });
  const dir = newFolder();
  const redis = redisUrl === undefined ? undefined : openRedis(redisUrl);
  if (redis !== undefined) {
    logOutages(redis, log);
    await once(redis, 'ready');
  }
  const keys =
    redis === undefined
      ? fileKeyStore(join(dataDir ?? dir, 'keys.jsonl'))
      : redisKeyStore(redis, (record) => log.warn('damaged key record', { record }));
  const count = redis === undefined ? memoryCounter() : redisCounter(redis);
  const usage = redis === undefined ? fileUsageStore(join(dataDir ?? dir, 'usage')) : redisUsageStore(redis);
  const service = await startService({ archive, keys, count, usage }, { ...DEFAULTS, ...settings }, log);
  service.setReady();
  const createKey = (plan: Plan = 'professional') => issueKey(keys, { plan, account: 'test' });
  const defaultKey = await createKey();
  const api: TestApi = {
    url: service.url,
    metricsUrl: service.metricsUrl,
    keys,
    logLines,
    createKey,
    async get(target, { key = defaultKey, headers = {}, method = 'GET' } = {}) {
      const credentials = key === null ? {} : { authorization: `Bearer ${key}` };
      for (;;) {
        const response = await fetch(service.url + target, {
          method,
          headers: { ...credentials, ...headers },
        });
        if (response.status !== 429 || key !== defaultKey) return response;
        await response.body?.cancel();
        await sleep(100);
      }
    },
    async bytes(target) {
      const response = await api.get(target);
      const bytes = Buffer.from(await response.arrayBuffer());
      assert.equal(response.status, 200, `${target.slice(0, 500)}: ${bytes.subarray(0, 1000)}`);
      return bytes;
    },
    json: async (target) => JSON.parse((await api.bytes(target)).toString()),
    async walk<Row>(target: string) {
      const rows: Row[] = [];
      for (const url = new URL(target, service.url); ; ) {
        const { data, meta } = await api.json<Page<Row>>(url.pathname + url.search);
        rows.push(...data);
        assert.equal(meta.hasMore, meta.nextCursor !== undefined);
        if (meta.nextCursor === undefined) return rows;
        assert.ok(data.length > 0 && meta.nextCursor !== url.searchParams.get('cursor'));
        url.searchParams.set('cursor', meta.nextCursor);
      }
    },
    sendBytes: (bytes) => exchange(new URL(service.url), bytes),
    abort: () => service.abort(),
    drain: () => service.stop(),
    async stop() {
      service.abort();
      await service.stop();
      redis?.disconnect();
    },
  };
  return api;
}

/** The service over an archive with these reports; `stop()` removes the archive too. */
export async function startApiWithReports(
  reports: readonly Report[],
  createArchive: () => Promise<TestArchive> = emptyArchive,
): Promise<TestApi & { readonly archive: Archive }> {
  const archive = await createArchive();
  await insert(archive.client, ...reports.map((report) => put(report)));
  const api = await startApi(archive.client);
  return {
    ...api,
    archive: archive.client,
    async stop() {
      await api.stop();
      await archive.close();
    },
  };
}

/** The service for requests that never reach the archive. */
export async function startApiWithoutArchive(options: Options = {}): Promise<TestApi> {
  const archive = openArchive({
    url: 'http://127.0.0.1:1',
    username: 'default',
    password: '',
    database: 'none',
  });
  const api = await startApi(archive, options);
  return {
    ...api,
    async stop() {
      await api.stop();
      await archive.close();
    },
  };
}

async function exchange({ hostname, port }: URL, bytes: string): Promise<string> {
  const socket = connect(Number(port), hostname);
  socket.setEncoding('latin1');
  socket.write(bytes, 'latin1');
  let response = '';
  for await (const text of socket) response += text;
  return response;
}

/** One service for all tests of the `describe` block that calls this. Its properties can be read in tests and hooks. */
export function useApi<T extends TestApi>(start: () => Promise<T>): T {
  let api: T | undefined;
  before(async () => {
    api = await start();
  });
  after(() => api?.stop());
  const started = () => api ?? assert.fail('The service runs in tests and hooks only');
  return new Proxy({} as T, { get: (_, name) => started()[name as keyof T] });
}
