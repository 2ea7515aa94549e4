import type { IncomingMessage } from 'node:http';
import type { Context, Next } from 'koa';
import type { Log } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { ProblemCode } from '../problem.ts';
import type { UsageRecorder } from '../usage/usage.ts';
import { arrivalOf, type LabeledRoute } from './http-request.ts';

type RequestFields = {
  readonly requestId?: string;
  readonly code?: ProblemCode;
  readonly address?: string;
  /** The id of the key, never the key. */
  readonly key?: string | undefined;
  readonly plan?: string;
  readonly stations?: number;
  readonly records?: number | undefined;
  /** The format of a stream, and how many bytes of it were sent. */
  readonly format?: string;
  readonly bytes?: number;
  /** The service closed the connection because the client read too slowly. */
  readonly isSlow?: true;
};

const fieldsOfRequests = new WeakMap<IncomingMessage, RequestFields>();

export function addLogFields(request: IncomingMessage, fields: RequestFields): void {
  fieldsOfRequests.set(request, { ...fieldsOfRequests.get(request), ...fields });
}

export type LogOptions = {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly usage: UsageRecorder;
  readonly routes: ReadonlyMap<string, LabeledRoute>;
};

/** Once a response is complete or its connection closed. In metrics, paths without a route have the label `other`. */
export function logRequests({ log, metrics, usage, routes }: LogOptions) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const started = arrivalOf(ctx.req);
    ctx.res.once('close', () => {
      const seconds = Math.round(performance.now() - started) / 1000;
      // 499 as in nginx: the client closed the connection before its response was complete.
      const status = ctx.res.writableFinished ? ctx.res.statusCode : 499;
      const { method, path } = ctx;
      const { requestId, code = 'none', ...fields } = fieldsOfRequests.get(ctx.req) ?? {};
      log.info('request', { requestId, method, path, status, code, seconds, ...fields });
      const isJson = String(ctx.res.getHeader('Content-Type')).startsWith('application/json');
      const { key, plan, format = isJson ? 'json' : undefined, bytes: streamBytes } = fields;
      const records = status === 200 && method === 'GET' ? (fields.records ?? 0) : 0;
      // The path of the route, which can have a parameter.
      const endpoint = routes.get(ctx._matchedRoute?.toString() ?? path)?.label ?? 'other';
      metrics.request({ endpoint, plan, format, status, code, seconds, records, streamBytes });
      const bytes = streamBytes ?? (method === 'GET' && ctx.res.writableFinished ? lengthOf(ctx) : 0);
      if (key !== undefined)
        usage.count(key, { requests: 1, refusals: status >= 400 ? 1 : 0, records, bytes });
    });
    await next();
  };
}

function lengthOf({ res }: Context): number {
  return res.statusCode === 304 ? 0 : Number(res.getHeader('Content-Length') ?? 0);
}
