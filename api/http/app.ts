import type { BlockList } from 'node:net';
import { Router } from '@koa/router';
import Koa, { type Context, type Next } from 'koa';
import type { Authenticate, Authentication } from '../auth/authenticate.ts';
import { addLogFields, formatError, type Log, logFields } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';
import { addressBucket, clientAddress } from '../rate-limit/client-address.ts';
import { requireAllowance } from '../rate-limit/rate-limit.ts';
import { commonHeaders, PREFLIGHT_HEADERS, rateLimitHeaders, requestIdOf } from './headers.ts';
import { hasBody, originForm, requireHost } from './http-request.ts';
import { Problem, problemBody, toProblem } from './problem.ts';

type PublicHandler = (ctx: Context) => Promise<void>;
type RateLimitedHandler = (ctx: Context, admission: Authentication) => Promise<void>;

export type AppOptions = {
  readonly admit: Authenticate;
  readonly proxies: BlockList;
  /** Behind these doors every request is counted (D25). */
  readonly doors: Readonly<Record<string, RateLimitedHandler>>;
  /** Behind these none is (D29). */
  readonly open: Readonly<Record<string, PublicHandler>>;
  readonly log: Log;
  readonly metrics: Metrics;
  /** True once the process is stopping: clients are asked to come back on another connection. */
  readonly isClosing: () => boolean;
};

export function createApp(house: AppOptions): Koa {
  const counted = rateLimit(house);
  const router = new Router({ strict: true, sensitive: true });
  for (const [path, open] of Object.entries(house.open)) router.get(path, open).all(path, methodNotAllowed);
  for (const [path, door] of Object.entries(house.doors))
    router.get(path, counted(door)).all(path, counted(methodNotAllowed));

  const app = new Koa();
  app.use(respond(house));
  app.use(preflight);
  app.use(router.routes());
  app.use(counted(notFound));
  // Reached only by what breaks while an answer is being written: a client that hung up, as a rule.
  app.on('error', (error) => house.log('warn', 'answer broken off', { error: String(error) }));
  return app;
}

/** Around every request: its id, the headers of every answer, refusals and defects as problems, one line of log. */
function respond({ log, metrics, isClosing }: AppOptions) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const started = performance.now();
    const requestId = requestIdOf(ctx.headers['x-request-id']?.toString());
    ctx.set(commonHeaders(requestId));
    ctx.req.url = originForm(ctx.req.url ?? '/');
    let code = 'none';
    ctx.res.once('close', () => {
      const seconds = Math.round(performance.now() - started) / 1000;
      // 499 as in nginx: the client closed the connection before its answer was sent.
      const status = ctx.res.writableFinished ? ctx.res.statusCode : 499;
      const { method, path } = ctx;
      const noted = logFields(ctx.req);
      log('info', 'request', { requestId, method, path, status, code, seconds, ...noted });
      metrics.request({ status, code, seconds, records: status === 200 ? Number(noted.records ?? 0) : 0 });
    });
    try {
      requireHost(ctx.req);
      await next();
    } catch (thrown) {
      if (!ctx.writable) return;
      const problem = toProblem(thrown);
      code = problem.code;
      if (problem.cause !== undefined)
        log(problem.status === 500 ? 'error' : 'warn', 'refused', {
          requestId,
          code,
          error: formatError(problem.cause),
        });
      ctx.status = problem.status;
      ctx.set({ 'Cache-Control': 'no-store', ...problem.headers });
      ctx.body = problemBody(problem, requestId);
      ctx.set('Content-Type', 'application/problem+json');
    }
    // A body is never read, so the connection cannot be used again.
    if (isClosing() || hasBody(ctx.req)) ctx.set('Connection', 'close');
  };
}

/** Any path, for a browser must be able to see the 404 of a wrong one. */
async function preflight(ctx: Context, next: Next): Promise<void> {
  if (ctx.method !== 'OPTIONS') return next();
  ctx.set(PREFLIGHT_HEADERS);
  ctx.status = 204;
}

/** Who asks is counted before anything else is looked at, and refused first (D25). */
function rateLimit({ admit, proxies }: AppOptions) {
  return (door: RateLimitedHandler): PublicHandler =>
    async (ctx) => {
      const address = clientAddress(ctx.req.socket.remoteAddress ?? '', ctx.get('X-Forwarded-For'), proxies);
      const admission = await admit(ctx.headers.authorization, addressBucket(address));
      const { who, allowance } = admission;
      ctx.set(rateLimitHeaders(allowance));
      addLogFields(ctx.req, { address, ...(who.kind === 'caller' && { key: who.keyId, plan: who.plan }) });
      requireAllowance(allowance);
      await door(ctx, admission);
    };
}

async function notFound(): Promise<void> {
  throw new Problem('not_found', 'There is nothing at this path. See GET /v1/history/observations.');
}

async function methodNotAllowed(): Promise<void> {
  throw new Problem('method_not_allowed', 'This path serves GET and HEAD.', {
    headers: { Allow: 'GET, HEAD, OPTIONS' },
  });
}
