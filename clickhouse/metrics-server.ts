import { once } from 'node:events';
import { createServer } from 'node:http';

/** A scrape or probe sends one short request at a time. */
const TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 64;

/** A server of its own for `/metrics`, in the text format of Prometheus, and `/healthz`, a liveness check. The caller listens. */
export function metricsServer(text: () => Promise<string>) {
  const server = createServer(
    { headersTimeout: TIMEOUT_MS, requestTimeout: TIMEOUT_MS },
    async ({ method, url }, response) => {
      const path = url?.split('?')[0];
      if (path !== '/metrics' && path !== '/healthz') return void response.writeHead(404).end();
      if (method !== 'GET' && method !== 'HEAD')
        return void response.writeHead(405, { Allow: 'GET, HEAD' }).end();
      if (path === '/healthz') return void response.setHeader('Content-Type', 'text/plain').end('ok\n');
      const metrics = await text().catch(() => undefined);
      if (metrics === undefined) return void response.writeHead(500).end();
      response.setHeader('Content-Type', 'text/plain; version=0.0.4; charset=utf-8').end(metrics);
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  return {
    server,
    async stop(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
