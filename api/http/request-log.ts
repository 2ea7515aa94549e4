import type { IncomingMessage } from 'node:http';
import type { Context, Next } from 'koa';
import type { Log } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { ProblemCode } from '../problem.ts';

/** What the stages of a request add to its log line. */
type RequestFields = {
  readonly requestId?: string;
  /** Of the client's `traceparent`. */
  readonly traceId?: string;
  readonly code?: ProblemCode;
  /** The client's address. */
  readonly address?: string;
  /** The id of the key, never the key. */
  readonly key?: string;
  readonly plan?: string;
  /** How many stations were requested. */
  readonly stations?: number;
  readonly records?: number;
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

/** Logs one line for each request and counts it, once its response is complete or the connection is closed. */
export function logRequests(log: Log, metrics: Metrics) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const started = performance.now();
    ctx.res.once('close', () => {
      const seconds = Math.round(performance.now() - started) / 1000;
      // 499 as in nginx: the client closed the connection before its response was complete.
      const status = ctx.res.writableFinished ? ctx.res.statusCode : 499;
      const { method, path } = ctx;
      const { requestId, code = 'none', ...fields } = fieldsOfRequests.get(ctx.req) ?? {};
      log('info', 'request', { requestId, method, path, status, code, seconds, ...fields });
      metrics.request({ status, code, seconds, records: status === 200 ? (fields.records ?? 0) : 0 });
      if (fields.format !== undefined) metrics.stream(fields.format, fields.bytes ?? 0);
    });
    await next();
  };
}
