import { composeRoutes } from './compose.ts';
import type { ServiceSettings } from './config.ts';
import type { Connections } from './connections.ts';
import { loadDocuments } from './docs/documents.ts';
import { endpointRoutes } from './endpoints.ts';
import { explorerRoutes } from './explorer/routes.ts';
import { createApp } from './http/app.ts';
import { documentRoutes } from './http/documents.ts';
import { operationRoutes, startMetricsServer, watchHealth } from './http/operations.ts';
import { createServer, listenOn } from './http/server.ts';
import type { Log } from './ops/log.ts';
import { openMetrics } from './ops/metrics.ts';
import { recordUsage } from './usage/usage.ts';

/** Guides and schemas do not change while the process runs. */
let documents: ReturnType<typeof loadDocuments> | undefined;

export async function startService(connections: Connections, settings: ServiceSettings, log: Log) {
  const { archive, usage } = connections;
  const { host, metricsPort, queryLimits } = settings;
  const context = composeRoutes(connections, settings);
  await context.files?.require();
  const { authenticator, queue, pages } = context;
  const health = watchHealth(archive, authenticator);
  const recorder = recordUsage(usage, log);
  const metrics = openMetrics(archive, { queue, cache: pages, limits: settings.limits });
  documents ??= loadDocuments();

  const routes = new Map([
    ...endpointRoutes(context),
    ...operationRoutes(health, metricsPort === undefined ? metrics : undefined),
    ...documentRoutes(await documents),
    ...(await explorerRoutes(context.archiveStations, settings)),
  ]);
  const app = createApp({ routes, authenticator, log, metrics, usage: recorder });
  const server = createServer(app.callback(), settings, log, metrics);
  const port = await listenOn(server, 'PORT', settings);
  const metricsServer =
    metricsPort === undefined ? undefined : await startMetricsServer(host, metricsPort, metrics);
  return {
    url: formatUrl(host, port),
    metricsUrl: `${formatUrl(host, metricsServer?.port ?? port)}/metrics`,
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
