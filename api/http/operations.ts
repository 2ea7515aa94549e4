import { once } from 'node:events';
import { createServer } from 'node:http';
import Koa, { type Context } from 'koa';
import type { Archive } from '../../clickhouse/archive.ts';
import { SingleFlight } from '../../clickhouse/concurrency.ts';
import type { Authenticator } from '../auth/authenticate.ts';
import { PROBE_TIMEOUT_MS } from '../ops/circuit-breakers.ts';
import { METRICS_CONTENT_TYPE, type Metrics } from '../ops/metrics.ts';
import { Problem, type ProblemCode } from '../problem.ts';
import { type RouteEntry, requireGetOrHead } from './http-request.ts';
import { listenOn } from './server.ts';

export function watchHealth(archive: Archive, authenticator: Authenticator) {
  const checking = new SingleFlight<unknown>();
  const refuse = (code: ProblemCode, detail: string) => (cause: unknown) => {
    throw new Problem(code, detail, { cause });
  };
  /** Both checks end by themselves: a command of Redis has its own time limit. */
  const check = () =>
    Promise.all([
      archive
        .ping(AbortSignal.timeout(PROBE_TIMEOUT_MS))
        .catch(refuse('storage_unavailable', 'The storage does not respond.')),
      authenticator
        .check()
        .catch(refuse('key_store_unavailable', 'API keys cannot be checked at the moment.')),
    ]);
  return {
    /** False until startup has finished and once shutdown has begun. */
    isServing: false,
    /** Throws unless the archive responds, and key lookup and request counting work. */
    async require() {
      if (!this.isServing) throw new Problem('overloaded', 'This process is starting or stopping.');
      await checking.join(check);
    },
  };
}

/** @param metrics if they are served on the public port */
export function operationRoutes(
  health: ReturnType<typeof watchHealth>,
  metrics: Metrics | undefined,
): readonly RouteEntry[] {
  const route = (path: string, answer: (ctx: Context) => Promise<void>): RouteEntry => {
    const handle = async (ctx: Context) => {
      requireGetOrHead(ctx.method);
      await answer(ctx);
    };
    return [path, { label: 'operations', handle }];
  };
  return [
    route('/healthz', async (ctx) => {
      ctx.body = { status: 'ok' };
    }),
    route('/readyz', async (ctx) => {
      await health.require();
      ctx.body = { status: 'ready' };
    }),
    ...(metrics === undefined ? [] : [route('/metrics', (ctx) => answerMetrics(ctx, metrics))]),
  ];
}

async function answerMetrics(ctx: Context, metrics: Metrics): Promise<void> {
  ctx.set('Content-Type', METRICS_CONTENT_TYPE);
  ctx.body = await metrics.text();
}

/** A scrape sends one short request at a time: idle and slow connections serve no purpose. */
const SCRAPE_TIMEOUT_MS = 10_000;

export async function startMetricsServer(
  host: string,
  port: number,
  metrics: Metrics,
): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const app = new Koa();
  app.silent = true;
  app.use(async (ctx) => {
    if (ctx.path !== '/metrics') return;
    requireGetOrHead(ctx.method);
    await answerMetrics(ctx, metrics);
  });
  const timeouts = { headersTimeout: SCRAPE_TIMEOUT_MS, requestTimeout: SCRAPE_TIMEOUT_MS };
  const server = createServer(timeouts, app.callback());
  server.maxConnections = 64;
  server.setTimeout(6 * SCRAPE_TIMEOUT_MS);
  return {
    port: await listenOn(server, 'METRICS_PORT', { host, port }),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
