import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { METRICS_CONTENT_TYPE, type Metrics } from './metrics.ts';

export type MetricsServer = { readonly port: number; stop(): Promise<void> };

/** A scrape sends one short request at a time: idle and slow connections serve no purpose. */
const TIMEOUT_MS = 10_000;

/** Serves `/metrics` on its own port, for operators who keep it off the public port. */
export async function startMetricsServer(
  host: string,
  port: number,
  metrics: Metrics,
): Promise<MetricsServer> {
  const server = createServer(
    { headersTimeout: TIMEOUT_MS, requestTimeout: TIMEOUT_MS },
    async (request, response) => {
      try {
        await answer(request, response, metrics);
      } catch {
        response.writeHead(500).end();
      }
    },
  );
  server.maxConnections = 64;
  server.setTimeout(6 * TIMEOUT_MS);
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: (typeof address === 'object' && address?.port) || port,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function answer(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  metrics: Metrics,
): Promise<void> {
  if (url?.split('?')[0] !== '/metrics') return void response.writeHead(404).end();
  if (method !== 'GET' && method !== 'HEAD')
    return void response.writeHead(405, { Allow: 'GET, HEAD' }).end();
  response.setHeader('Content-Type', METRICS_CONTENT_TYPE);
  response.end(await metrics.text());
}
