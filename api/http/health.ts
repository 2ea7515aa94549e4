import type { Context } from 'koa';
import { SingleFlight } from '../../clickhouse/concurrency.ts';
import { METRICS_CONTENT_TYPE, type Metrics } from '../ops/metrics.ts';
import type { Check } from '../ops/storage-breaker.ts';
import { Problem, retryAfter } from '../problem.ts';
import { requireGetOrHead } from './request/http-request.ts';

type Checks = {
  readonly storage: Check;
  readonly keyStore: Check;
  /** False until startup has finished and once shutdown has begun. */
  readonly isServing: () => boolean;
};

const CHECK_TIMEOUT_MS = 1000;

/** `/healthz`: the process is alive (D32). */
export async function healthz(ctx: Context): Promise<void> {
  requireGetOrHead(ctx.method);
  ctx.body = { status: 'ok' };
}

/** `/readyz`: the storage responds, key lookup and request counting work (D32). Concurrent probes share one check. */
export function readyz({ storage, keyStore, isServing }: Checks): (ctx: Context) => Promise<void> {
  const flight = new SingleFlight<void>();
  const check = async () => {
    await Promise.all([
      requireResponse(storage, 'storage_unavailable', 'The storage does not respond.'),
      requireResponse(keyStore, 'key_store_unavailable', 'API keys cannot be checked at the moment.'),
    ]);
  };
  return async (ctx) => {
    requireGetOrHead(ctx.method);
    if (!isServing())
      throw new Problem('overloaded', 'This process is starting or stopping.', { headers: retryAfter(1000) });
    await flight.join(check);
    ctx.body = { status: 'ready' };
  };
}

/** `/metrics`, for Prometheus. */
export function metricsPage(metrics: Metrics): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    requireGetOrHead(ctx.method);
    ctx.set('Content-Type', METRICS_CONTENT_TYPE);
    ctx.body = await metrics.text();
  };
}

async function requireResponse(
  check: Check,
  code: 'storage_unavailable' | 'key_store_unavailable',
  detail: string,
): Promise<void> {
  const deadline = AbortSignal.timeout(CHECK_TIMEOUT_MS);
  const expired = new Promise<never>((_, reject) => {
    deadline.addEventListener('abort', () => reject(deadline.reason));
  });
  try {
    await Promise.race([check(deadline), expired]);
  } catch (cause) {
    throw new Problem(code, detail, { headers: retryAfter(2000), cause });
  }
}
