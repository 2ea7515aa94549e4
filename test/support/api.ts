import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { BlockList, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { Redis } from 'ioredis';
import { issueKey, type KeyStore } from '../../api/auth/key-store.ts';
import { fileKeyStore } from '../../api/auth/key-store-file.ts';
import { redisKeyStore } from '../../api/auth/key-store-redis.ts';
import { type ServiceSettings, startService } from '../../api/compose.ts';
import { createLog } from '../../api/ops/log.ts';
import { collectMetrics } from '../../api/ops/metrics.ts';
import type { Plan } from '../../api/rate-limit/plans.ts';
import { memoryCounter, redisCounter } from '../../api/rate-limit/rate-limit.ts';
import { REDIS_OPTIONS, reportOutages } from '../../api/redis.ts';

export const HISTORY = '/v1/history/observations';

/** A query that is right in every respect; a test changes what it is about. */
export const QUERY = 'stations=XAAA&from=2024-01-01T00:00:00Z&to=2024-02-01T00:00:00Z';

export type TestApi = {
  readonly url: string;
  readonly keys: KeyStore;
  /** Every line that was logged. */
  readonly logged: readonly string[];
  createKey(plan?: Plan): Promise<string>;
  /** `GET`, with the key of a plan that no test exhausts unless another or none is given. */
  get(
    target: string,
    options?: {
      readonly key?: string | null;
      readonly headers?: Readonly<Record<string, string>>;
      readonly method?: string;
    },
  ): Promise<Response>;
  /** Bytes as they are to the service, and its whole answer. */
  raw(bytes: string): Promise<string>;
  stop(): Promise<void>;
};

type Options = Partial<ServiceSettings> & { readonly redisUrl?: string; readonly dataDir?: string };

/** The service in this process, over a file of keys or over Redis. */
export async function startApi(
  archive: ClickHouseClient,
  { redisUrl, dataDir, ...settings }: Options = {},
): Promise<TestApi> {
  const logged: string[] = [];
  const log = createLog((line) => logged.push(line));
  const dir = await mkdtemp(join(tmpdir(), 'api-'));
  const redis = redisUrl === undefined ? undefined : new Redis(redisUrl, REDIS_OPTIONS);
  if (redis !== undefined) {
    reportOutages(redis, log);
    await once(redis, 'ready');
  }
  const keys = redis === undefined ? fileKeyStore(join(dataDir ?? dir, 'keys.jsonl')) : redisKeyStore(redis);
  const count = redis === undefined ? memoryCounter() : redisCounter(redis);
  const defaults = {
    host: '127.0.0.1',
    port: 0,
    proxies: new BlockList(),
    limits: { queryTimeoutSeconds: 30, queriesAtOnce: 4 },
  };
  const service = await startService(
    { archive, keys, count },
    { ...defaults, ...settings },
    log,
    collectMetrics(),
  );
  service.open();
  const createKey = (plan: Plan = 'professional') => issueKey(keys, { plan, account: 'test' });
  const ordinary = await createKey();
  return {
    url: service.url,
    keys,
    logged,
    createKey,
    get(target, { key = ordinary, headers = {}, method = 'GET' } = {}) {
      const credentials = key === null ? {} : { authorization: `Bearer ${key}` };
      return fetch(service.url + target, { method, headers: { ...credentials, ...headers } });
    },
    raw: (bytes) => exchange(new URL(service.url), bytes),
    async stop() {
      await service.stop();
      redis?.disconnect();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function exchange({ hostname, port }: URL, bytes: string): Promise<string> {
  const socket = connect(Number(port), hostname);
  socket.setEncoding('latin1');
  socket.write(bytes, 'latin1');
  let answer = '';
  for await (const text of socket) answer += text;
  return answer;
}
