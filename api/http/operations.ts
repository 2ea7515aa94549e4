import type { Context } from 'koa';
import type { Archive } from '../../clickhouse/archive.ts';
import { SingleFlight } from '../../clickhouse/concurrency.ts';
import { metricsServer } from '../../clickhouse/metrics-server.ts';
import type { Authenticator } from '../auth/authenticate.ts';
import { PROBE_TIMEOUT_MS } from '../ops/circuit-breakers.ts';
import { METRICS_CONTENT_TYPE, type Metrics } from '../ops/metrics.ts';
import { Problem } from '../problem.ts';
import { type RouteEntry, requireGetOrHead } from './http-request.ts';
import { listenOn } from './server.ts';

export function watchHealth(archive: Archive, authenticator: Authenticator) {
  const checking = new SingleFlight<unknown>();
  const ping = () =>
    archive.ping(AbortSignal.timeout(PROBE_TIMEOUT_MS)).catch((cause: unknown) => {
      throw new Problem('storage_unavailable', 'The storage does not respond.', { cause });
    });
  /** Both checks end by themselves: a command of Redis has its own time limit. */
  const check = () => Promise.all([ping(), authenticator.check()]);
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
export function operationRoutes(health: ReturnType<typeof watchHealth>, metrics: Metrics | undefined) {
  const answers: Readonly<Record<string, (ctx: Context) => Promise<unknown>>> = {
    '/healthz': async () => ({ status: 'ok' }),
    async '/readyz'() {
      await health.require();
      return { status: 'ready' };
    },
    ...(metrics && {
      '/metrics'(ctx) {
        ctx.set('Content-Type', METRICS_CONTENT_TYPE);
        return metrics.text();
      },
    }),
  };
  return Object.entries(answers).map(([path, answer]): RouteEntry => {
    const handle = async (ctx: Context) => {
      requireGetOrHead(ctx.method);
      ctx.body = await answer(ctx);
    };
    return [path, { label: 'operations', handle }];
  });
}

export async function startMetricsServer(host: string, port: number, metrics: Metrics) {
  const { server, stop } = metricsServer(() => metrics.text());
  return { port: await listenOn(server, 'METRICS_PORT', { host, port }), stop };
}
