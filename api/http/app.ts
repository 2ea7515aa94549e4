import { Router } from '@koa/router';
import Koa, { type Context, type Next } from 'koa';
import type { Authenticator } from '../auth/authenticate.ts';
import { formatError, type Log } from '../ops/log.ts';
import { Problem, problemBody, toProblem } from '../problem.ts';
import { applyRateLimit } from './accept-request.ts';
import { contentSecurityPolicy } from './documents.ts';
import { commonHeaders, PREFLIGHT_HEADERS, SERVICE_LINKS, toRequestId } from './headers.ts';
import { hasBody, requireHost, toOriginForm } from './http-request.ts';
import { addLogFields, type LogOptions, logRequests } from './request-log.ts';

/** The steps of every request: log, headers, problems, preflight, then the route of its path or 404. */
export function createApp(options: LogOptions & { readonly authenticator: Authenticator }): Koa {
  const { routes, authenticator, log } = options;
  const router = new Router({ strict: true, sensitive: true });
  for (const [path, { handle }] of routes) router.all(path, handle);

  const app = new Koa();
  app.use(logRequests(options));
  app.use(setCommonHeaders);
  app.use(sendProblems(log));
  app.use(answerPreflight);
  app.use(router.routes());
  app.use((ctx) => answerNotFound(ctx, authenticator));
  // Koa reports errors in writing a response here: usually the client closed the connection.
  app.on('error', (error) => log.warn('response aborted', { error: String(error) }));
  return app;
}

async function setCommonHeaders(ctx: Context, next: Next): Promise<void> {
  const requestId = toRequestId(ctx.headers['x-request-id']?.toString());
  addLogFields(ctx.req, { requestId });
  ctx.set(commonHeaders(requestId));
  ctx.req.url = toOriginForm(ctx.req.url ?? '/');
  await next();
  // A request body is never read, so the connection cannot be used again.
  if (hasBody(ctx.req)) ctx.set('Connection', 'close');
}

function sendProblems(log: Log) {
  return async (ctx: Context, next: Next): Promise<void> => {
    try {
      requireHost(ctx.req);
      await next();
    } catch (thrown) {
      // `writable` stays true for pipelined responses after the one that was being sent when the connection was lost.
      if (!ctx.writable || ctx.req.socket.destroyed) return;
      const problem = toProblem(thrown);
      const requestId = ctx.response.get('X-Request-Id');
      const { code, status, cause } = problem;
      addLogFields(ctx.req, { code });
      if (cause !== undefined) {
        const level = status === 500 ? 'error' : 'warn';
        log[level]('request failed', { requestId, code, error: formatError(cause) });
      }
      ctx.status = status;
      ctx.set({ 'Cache-Control': 'no-store', ...problem.headers });
      ctx.body = problemBody(problem, requestId);
      ctx.set('Content-Type', 'application/problem+json');
    }
  };
}

/** Answers OPTIONS on every path, so that a browser can read the 404 for an unknown path. */
async function answerPreflight(ctx: Context, next: Next): Promise<void> {
  if (ctx.method !== 'OPTIONS') return next();
  ctx.set(PREFLIGHT_HEADERS);
  ctx.status = 204;
}

const NOT_FOUND_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Not found – Historical observations</title>
    <link rel="icon" href="/assets/explorer/icon.svg" />
    <link rel="stylesheet" href="/assets/theme.css" />
    <link rel="stylesheet" href="/assets/docs.css" />
    <script src="/assets/color-scheme.js"></script>
  </head>
  <body>
    <header class="site-header"><strong><a href="/">Historical observations</a></strong></header>
    <div class="documents"><main id="content"><h1>There is nothing at this path</h1>
      <p>Find a <a href="/">station</a>, or read the <a href="/docs/first-request">guides</a> and the <a href="/docs">API</a>.</p>
    </main></div>
  </body>
</html>
`;

async function answerNotFound(ctx: Context, authenticator: Authenticator): Promise<void> {
  await applyRateLimit(ctx, authenticator);
  if (ctx.accepts('json', 'html') === 'html') {
    ctx.status = 404;
    ctx.type = 'html';
    ctx.set('Content-Security-Policy', contentSecurityPolicy());
    ctx.body = NOT_FOUND_PAGE;
    return;
  }
  throw new Problem('not_found', 'There is nothing at this path. /docs and /openapi.json list all paths.', {
    headers: { Link: SERVICE_LINKS },
  });
}
