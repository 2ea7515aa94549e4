import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectDefaultMetrics, register } from 'prom-client';
import { issueKey } from '../../../api/auth/key-store.ts';
import { fileKeyStore } from '../../../api/auth/key-store-file.ts';
import { redisKeyStore } from '../../../api/auth/key-store-redis.ts';
import { readConfig, type ServiceSettings } from '../../../api/config.ts';
import { openLog } from '../../../api/ops/log.ts';
import { memoryCounter, type Plan, redisCounter } from '../../../api/rate-limit/rate-limit.ts';
import { logOutages, openRedis } from '../../../api/redis.ts';
import { startService } from '../../../api/service.ts';
import { fileUsageStore, redisUsageStore } from '../../../api/usage/usage-stores.ts';
import type { Archive } from '../../../clickhouse/archive.ts';
import { openArchive } from '../../../clickhouse/client.ts';
import type { Report } from '../../../clickhouse/model/report.ts';
import { describeStations, emptyArchive, insert, put } from '../archive/archive.ts';
import { newFolder } from '../test-run.ts';
import { assertProblem } from './problem.ts';

export const OBSERVATIONS = '/v1/history/observations';

/** A valid query without optional parameters. */
export const QUERY = 'stations=XAAA&from=2024-01-01T00:00:00Z&to=2024-02-01T00:00:00Z';

export type TestApi = Awaited<ReturnType<typeof startApi>>;

type RequestOptions = {
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
};

export type AnyRow = Readonly<Record<string, unknown>>;
export type Page<Row = AnyRow> = {
  readonly data: readonly Row[];
  readonly meta: AnyRow & { readonly hasMore: boolean; readonly nextCursor?: string };
};

type Options = Partial<ServiceSettings> & { readonly redisUrl?: string; readonly dataDir?: string };

const DEFAULTS = readConfig({ PORT: '0', DEMO: 'off', DATA_DIR: tmpdir() });

// A test of the metrics may have collected them in this process.
register.clear();
collectDefaultMetrics();

/** Starts the service in this process, with keys in a file or in Redis. */
export async function startApi(archive: Archive, { redisUrl, dataDir, ...settings }: Options = {}) {
  const logLines: string[] = [];
  const log = openLog({ write: (line) => logLines.push(line) });
  const dir = dataDir ?? newFolder();
  const redis = redisUrl === undefined ? undefined : openRedis(redisUrl);
  if (redis !== undefined) {
    logOutages(redis, log);
    await once(redis, 'ready');
  }
  const keys = redis
    ? redisKeyStore(redis, (record) => log.warn('damaged key record', { record }))
    : fileKeyStore(join(dir, 'keys.jsonl'));
  const count = redis ? redisCounter(redis) : memoryCounter();
  const usage = redis ? redisUsageStore(redis) : fileUsageStore(join(dir, 'usage'));
  const service = await startService({ archive, keys, count, usage }, { ...DEFAULTS, ...settings }, log);
  service.setReady();
  const { url, metricsUrl } = service;
  const createKey = (plan: Plan = 'professional') => issueKey(keys, { plan, account: 'test' });
  const defaultKey = await createKey();

  /**
   * Sends a `GET` with a key of the plan `professional`, unless the options say otherwise; `null` sends no key. On a quick
   * machine it waits until the plan allows the next request.
   */
  async function get(
    target: string,
    { key = defaultKey, headers = {}, method = 'GET' }: RequestOptions = {},
  ) {
    const credentials = key === null ? {} : { authorization: `Bearer ${key}` };
    for (;;) {
      const response = await fetch(url + target, { method, headers: { ...credentials, ...headers } });
      if (response.status !== 429 || key !== defaultKey) return response;
      await response.body?.cancel();
      await sleep(100);
    }
  }
  /** The body of an answer with status 200. */
  async function bytes(target: string): Promise<Buffer> {
    const response = await get(target);
    const body = Buffer.from(await response.arrayBuffer());
    assert.equal(response.status, 200, `${target.slice(0, 500)}: ${body.subarray(0, 1000)}`);
    return body;
  }
  const json = async <Body = Page>(target: string): Promise<Body> =>
    JSON.parse((await bytes(target)).toString());
  return {
    url,
    metricsUrl,
    keys,
    /** All log lines. */
    logLines: logLines as readonly string[],
    createKey,
    get,
    bytes,
    json,
    /** The elements of `data`. */
    rows: async <Row = AnyRow>(target: string): Promise<readonly Row[]> =>
      (await json<Page<Row>>(target)).data,
    /** The records of NDJSON. */
    lines: async <Row = AnyRow>(target: string): Promise<readonly Row[]> =>
      JSON.parse(`[${(await bytes(target)).toString().trimEnd().split('\n')}]`),
    /** The elements of `data` of all pages from this one on. */
    async walk<Row = AnyRow>(target: string): Promise<readonly Row[]> {
      const rows: Row[] = [];
      for (const next = new URL(target, url); ; ) {
        const { data, meta } = await json<Page<Row>>(next.pathname + next.search);
        rows.push(...data);
        assert.equal(meta.hasMore, meta.nextCursor !== undefined);
        if (meta.nextCursor === undefined) return rows;
        assert.ok(data.length > 0 && meta.nextCursor !== next.searchParams.get('cursor'));
        next.searchParams.set('cursor', meta.nextCursor);
      }
    },
    /** What is wrong with the parameters of a request, as in `to must be later than from`. */
    async refusal(target: string, options?: RequestOptions): Promise<string> {
      const { errors = [] } = await assertProblem(await get(target, options), 400, 'invalid_parameter');
      return errors.map(({ parameter, detail }) => `${parameter} ${detail}`).join('\n');
    },
    /** Sends these bytes to the service; returns everything that it sends until it closes the connection. */
    async sendBytes(sent: string): Promise<string> {
      const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
      socket.write(sent, 'latin1');
      return (await socket.toArray()).join('');
    },
    /** As when the process ends. */
    abort: () => service.abort(),
    /** As when the process is told to end: waits for the connections that `fetch` keeps. */
    drain: () => service.stop(),
    async stop() {
      service.abort();
      await service.stop();
      redis?.disconnect();
    },
  };
}

/** The service over an archive with these reports and time zones of stations; `stop()` removes the archive too. */
export async function startApiWithReports(
  reports: readonly Report[],
  { zones = {} as Readonly<Record<string, string>>, createArchive = emptyArchive } = {},
): Promise<TestApi & { readonly archive: Archive }> {
  const archive = await createArchive();
  await insert(archive.client, ...reports.map((report) => put(report)));
  await describeStations(
    archive.client,
    Object.entries(zones).map(([station, timezone]) => ({ source: 'iem', station, timezone })),
  );
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
export const startApiWithoutArchive = (options?: Options): Promise<TestApi> =>
  startApi(
    openArchive({ url: 'http://127.0.0.1:1', username: 'default', password: '', database: 'none' }),
    options,
  );

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
