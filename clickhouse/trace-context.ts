import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<string>();

/** All statements of this work belong to the trace of this `traceparent` (W3C Trace Context). */
export function runInTrace<T>(traceparent: string, work: () => T): T {
  return storage.run(traceparent, work);
}

/** Headers that let ClickHouse join the trace, if any. */
export function traceHeaders(): { readonly traceparent?: string } {
  const traceparent = storage.getStore();
  return traceparent === undefined ? {} : { traceparent };
}
