import type { Context, Next } from 'koa';
import { currentTrace } from '../../../clickhouse/archive.ts';
import { addLogFields } from '../request-log.ts';

type Traceparent = { readonly traceId: string /** In version 00. */; readonly text: string };

const FORMAT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Passes the client's trace to the log and to ClickHouse. Without a valid header there is no trace. */
export async function continueTrace(ctx: Context, next: Next): Promise<void> {
  const trace = parseTraceparent(ctx.get('traceparent'));
  if (trace === undefined) return next();
  addLogFields(ctx.req, { traceId: trace.traceId });
  await currentTrace.run(trace.text, next);
}

/** Reads the header of W3C Trace Context, level 1 (3.2.2). Later versions may append fields. */
export function parseTraceparent(header: string): Traceparent | undefined {
  const [, traceId, parentId, flags, appended] = FORMAT.exec(header) ?? [];
  if (traceId === undefined || (appended !== undefined && header.startsWith('00'))) return undefined;
  return { traceId, text: `00-${traceId}-${parentId}-${flags}` };
}
