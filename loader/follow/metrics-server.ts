import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FollowMetrics, METRICS_CONTENT_TYPE } from './metrics.ts';

export type MetricsServer = { readonly url: string; stop(): Promise<void> };

/** A probe sends one short request at a time. */
const TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 64;

/** Serves `/metrics`, and `/healthz`, a liveness check. */
export async function startMetricsServer(
  host: string,
  port: number,
  metrics: FollowMetrics,
): Promise<MetricsServer> {
  const server = createServer(
    { headersTimeout: TIMEOUT_MS, requestTimeout: TIMEOUT_MS },
    async ({ method, url }, response) => {
      const path = url?.split('?')[0];
      if (path !== '/metrics' && path !== '/healthz') return void response.writeHead(404).end();
      if (method !== 'GET' && method !== 'HEAD')
        return void response.writeHead(405, { Allow: 'GET, HEAD' }).end();
      if (path === '/healthz') return void response.setHeader('Content-Type', 'text/plain').end('ok\n');
      const text = await metrics.text();
      response.setHeader('Content-Type', METRICS_CONTENT_TYPE).end(text);
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, host);
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
