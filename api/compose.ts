import type { Archive } from '../clickhouse/archive.ts';
import { readNewestReport } from '../clickhouse/coverage/newest-report.ts';
import { archiveChangesReader } from '../clickhouse/coverage/state/changes.ts';
import { readCoverageStates } from '../clickhouse/coverage/state/state.ts';
import { CoverageStateCache } from '../clickhouse/coverage/state/state-cache.ts';
import { archiveRoute, archiveStationsRoute } from './archive/route.ts';
import { createAuthenticator } from './auth/authenticate.ts';
import type { KeyStore } from './auth/key-store.ts';
import type { ServiceSettings } from './config.ts';
import { loadDocuments } from './docs/documents.ts';
import { ENDPOINTS, pathsOf, type Resources } from './endpoints.ts';
import { loadExplorerDocuments } from './explorer/documents.ts';
import { createApp, type LabeledRoute, type Route } from './http/app.ts';
import { drain } from './http/draining-server.ts';
import { healthz, metricsPage, readyz } from './http/health.ts';
import { CompressedBodies } from './http/response/compressed-bodies.ts';
import { documentRoutes } from './http/response/send-document.ts';
import { listen } from './http/server.ts';
import { PageCache } from './observations/page-cache.ts';
import { ArchiveReader } from './observations/read-archive.ts';
import { measureArchiveAge } from './ops/archive-age.ts';
import { formatError, type Log } from './ops/log.ts';
import type { Metrics } from './ops/metrics.ts';
import { startMetricsServer } from './ops/metrics-server.ts';
import { measurePageCache } from './ops/page-cache-metrics.ts';
import { ArchiveQueries } from './ops/query-limits.ts';
import { RequestQueue } from './ops/request-queue.ts';
import type { RequestCounter } from './rate-limit/rate-limit.ts';
import { StatisticsReader } from './statistics/read-answer.ts';
import { recordUsage } from './usage/recorder.ts';
import type { UsageStore } from './usage/usage.ts';

export type Connections = {
  readonly archive: Archive;
  readonly keys: KeyStore;
  readonly count: RequestCounter;
  readonly usage: UsageStore;
};

export type Service = {
  readonly url: string;
  readonly metricsUrl: string;
  /** From now on `/readyz` responds with 200. */
  setReady(): void;
  /** Resets each connection in mid-response, so that no partial response looks complete. */
  abort(): void;
  /** Refuses probes, finishes running requests and stops listening. The connections to the stores stay open. */
  stop(): Promise<void>;
};

/** Connects the stages and listens. */
export async function startService(
  { archive, keys, count, usage }: Connections,
  settings: ServiceSettings,
  log: Log,
  metrics: Metrics,
): Promise<Service> {
  const { host, trustedProxies, queryLimits, metricsPort, pageCacheBytes, responseMemoryBytes } = settings;
  let state: 'starting' | 'serving' | 'closing' = 'starting';
  const authenticator = createAuthenticator(keys, count, settings.guestPlan);
  const checks = {
    storage: (signal: AbortSignal) => archive.ping(signal),
    keyStore: () => authenticator.check(),
    isServing: () => state === 'serving',
  };
  const states = new CoverageStateCache(
    (stations, signal) => readCoverageStates(archive, stations, signal),
    archiveChangesReader(archive),
  );
  const { queryTimeoutSeconds } = queryLimits;
  const queue = new RequestQueue({ ...queryLimits, memoryBytes: responseMemoryBytes });
  const queries = new ArchiveQueries(queue, queryTimeoutSeconds, checks.storage, metrics.add);
  const pageCache = new PageCache(pageCacheBytes);
  measurePageCache(pageCache, metrics.add);
  measureArchiveAge((now, signal) => readNewestReport(archive, now, signal), metrics.add);
  const usageRecorder = recordUsage(usage, (error) =>
    log('warn', 'usage not written', { error: formatError(error) }),
  );
  const identification = { authenticate: authenticator.authenticate, trustedProxies };
  const resources: Resources = {
    ...{ ...identification, archive, states, queue, queries },
    bodies: new CompressedBodies(pageCache),
    pages: new ArchiveReader(archive, states, queries, pageCache),
    statistics: new StatisticsReader(archive, states, queries, pageCache),
    answerArchive: archiveRoute({ archive }),
    answerArchiveStations: archiveStationsRoute({ archive }),
  };
  const app = createApp({
    routes: {
      ...Object.fromEntries(
        ENDPOINTS.flatMap((endpoint) => {
          const handle: Route = (ctx) => endpoint.handle(ctx, resources);
          const labeled = { label: endpoint.name, handle };
          return [...pathsOf(endpoint).keys()].map((path) => [path, labeled]);
        }),
      ),
      ...labelAll('operations', {
        '/healthz': healthz,
        '/readyz': readyz(checks),
        ...(metricsPort === undefined && { '/metrics': metricsPage(metrics) }),
      }),
      ...labelAll(
        'documents',
        documentRoutes({
          ...(await loadDocuments()),
          ...(await loadExplorerDocuments(settings)),
        }),
      ),
    },
    identification,
    log,
    metrics,
    countUsage: usageRecorder.count,
    isClosing: () => state === 'closing',
  });
  const idleSeconds = queryTimeoutSeconds + 60;
  const server = await listen(app.callback(), { ...settings, idleSeconds }, log, metrics).catch(
    explainPort('PORT', settings.port),
  );
  const address = server.address();
  const port = (typeof address === 'object' && address?.port) || settings.port;
  const metricsServer =
    metricsPort === undefined
      ? undefined
      : await startMetricsServer(host, metricsPort, metrics).catch(explainPort('METRICS_PORT', metricsPort));
  return {
    url: formatUrl(host, port),
    metricsUrl: `${formatUrl(host, metricsServer?.port ?? port)}/metrics`,
    setReady() {
      state = 'serving';
    },
    abort: () => server.closeAllConnections(),
    async stop() {
      state = 'closing';
      await drain(server, queryTimeoutSeconds);
      await metricsServer?.stop();
      await usageRecorder.stop();
    },
  };
}

function labelAll(
  label: string,
  routes: Readonly<Record<string, Route>>,
): Readonly<Record<string, LabeledRoute>> {
  return Object.fromEntries(Object.entries(routes).map(([path, handle]) => [path, { label, handle }]));
}

/** What an operator can change if the service cannot listen on a port. */
function explainPort(setting: 'PORT' | 'METRICS_PORT', port: number): (cause: Error) => never {
  return (cause) => {
    const message = `${setting} ${port} cannot be used: ${cause.message}. Set ${setting} to another port, or HOST to another address`;
    throw new Error(message, { cause });
  };
}

function formatUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
