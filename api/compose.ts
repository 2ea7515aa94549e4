import type { Archive } from '../clickhouse/archive.ts';
import { CoverageStateCache } from '../clickhouse/coverage/state-cache.ts';
import { openAuthenticator } from './auth/authenticate.ts';
import type { KeyStore } from './auth/key-store.ts';
import type { ServiceSettings } from './config.ts';
import { loadDocuments } from './docs/documents.ts';
import { endpointRoutes } from './endpoints.ts';
import { loadExplorerDocuments } from './explorer/documents.ts';
import { createApp } from './http/app.ts';
import { operationRoutes, startMetricsServer, watchHealth } from './http/operations.ts';
import { CompressedBodies } from './http/response/compression.ts';
import { documentRoutes } from './http/response/documents.ts';
import { createServer, listenOn } from './http/server.ts';
import { PageCache } from './observations/page-cache.ts';
import { PageReader } from './observations/page-reader.ts';
import type { Log } from './ops/log.ts';
import { Metrics } from './ops/metrics.ts';
import { queueQueries } from './ops/query-limits.ts';
import { RequestQueue } from './ops/request-queue.ts';
import type { RequestCounter } from './rate-limit/rate-limit.ts';
import { recordUsage, type UsageStore } from './usage/usage.ts';

export type Connections = {
  readonly archive: Archive;
  readonly keys: KeyStore;
  readonly count: RequestCounter;
  readonly usage: UsageStore;
};

/** Connects the stages and listens. */
export async function startService(
  { archive, keys, count, usage }: Connections,
  settings: ServiceSettings,
  log: Log,
) {
  const { host, metricsPort, queryLimits, responseMemoryBytes } = settings;
  const authenticator = openAuthenticator(keys, count, settings);
  const queue = new RequestQueue({ ...queryLimits, memoryBytes: responseMemoryBytes });
  const queries = queueQueries(queue, archive, queryLimits.queryTimeoutSeconds);
  const states = new CoverageStateCache(archive);
  const cache = new PageCache(settings.pageCacheBytes);
  const health = watchHealth(archive, authenticator);
  const recorder = recordUsage(usage, log);
  const metrics = new Metrics(archive, queue, cache, settings.limits);

  const routes = new Map([
    ...endpointRoutes({
      ...{ archive, authenticator, queue, queries, states, cache: cache.entries },
      bodies: new CompressedBodies(cache.entries),
      pages: new PageReader(states, queries, cache),
    }),
    ...operationRoutes(health, metricsPort === undefined ? metrics : undefined),
    ...documentRoutes(await loadDocuments()),
    ...documentRoutes(await loadExplorerDocuments(settings)),
  ]);
  const app = createApp(routes, authenticator, log, metrics, recorder);
  const server = createServer(app.callback(), settings, log, metrics);
  const port = await listenOn(server, 'PORT', settings);
  const metricsServer =
    metricsPort === undefined ? undefined : await startMetricsServer(host, metricsPort, metrics);
  return {
    url: formatUrl(host, port),
    metricsUrl: `${formatUrl(host, metricsServer?.port ?? port)}/metrics`,
    /** From now on `/readyz` responds with 200. */
    setReady() {
      health.isServing = true;
    },
    /** Resets each connection in mid-response, so that no partial response looks complete. */
    abort: () => server.closeAllConnections(),
    /** Refuses probes, finishes running requests and stops listening. The connections to the stores stay open. */
    async stop() {
      health.isServing = false;
      await server.drain(queryLimits.queryTimeoutSeconds);
      await metricsServer?.stop();
      await recorder.stop();
    },
  };
}

function formatUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
