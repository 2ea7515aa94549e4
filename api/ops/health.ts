import type { Context } from 'koa';
import { Problem, retryAfter } from '../http/problem.ts';
import type { Metrics } from './metrics.ts';

/** Throws when what is asked does not answer. */
export type Check = (signal: AbortSignal) => Promise<void>;

export type Checks = {
  readonly storage: Check;
  readonly keyStore: Check;
  /** False before the start has ended and once the stop has begun. */
  readonly isServing: () => boolean;
};

/** A probe that waits longer than this for an answer has one. */
const CHECK_MILLISECONDS = 1000;

/** `/healthz`: the process lives (D32). */
export async function healthz(ctx: Context): Promise<void> {
  ctx.body = { status: 'ok' };
}

/** `/readyz`: storage and key store answer (D32). Probes that come together share one check. */
export function readyz({ storage, keyStore, isServing }: Checks): (ctx: Context) => Promise<void> {
  let checking: Promise<void> | undefined;
  const check = async () => {
    await Promise.all([answers(storage, 'storage_unavailable'), answers(keyStore, 'key_store_unavailable')]);
  };
  return async (ctx) => {
    if (!isServing())
      throw new Problem('overloaded', 'This process is starting or stopping.', { headers: retryAfter(1000) });
    checking ??= check().finally(() => {
      checking = undefined;
    });
    await checking;
    ctx.body = { status: 'ready' };
  };
}

/** `/metrics`, for Prometheus. */
export function metricsPage(metrics: Metrics): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    ctx.set('Content-Type', 'text/plain; version=0.0.4; charset=utf-8');
    ctx.body = await metrics.text();
  };
}

async function answers(check: Check, code: 'storage_unavailable' | 'key_store_unavailable'): Promise<void> {
  const deadline = AbortSignal.timeout(CHECK_MILLISECONDS);
  const late = new Promise<never>((_, reject) => {
    deadline.addEventListener('abort', () => reject(deadline.reason));
  });
  try {
    await Promise.race([check(deadline), late]);
  } catch (cause) {
    const what = code === 'storage_unavailable' ? 'The storage' : 'The key store';
    throw new Problem(code, `${what} does not answer.`, { headers: retryAfter(2000), cause });
  }
}
