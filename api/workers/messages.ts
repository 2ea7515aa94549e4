import type { FinishedRequest, ProcessMetrics } from '../ops/metrics.ts';

export type FromWorker =
  | { readonly kind: 'requestFinished'; readonly request: FinishedRequest }
  | { readonly kind: 'processMetrics'; readonly metrics: ProcessMetrics }
  | { readonly kind: 'metricsRequest' }
  /** Each connection has had its last response: the port can close. */
  | { readonly kind: 'drained' }
  | { readonly kind: 'startFailed'; readonly reason: string };

export type ToWorker =
  | { readonly kind: 'setReady' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'processMetricsRequest' }
  | { readonly kind: 'metrics'; readonly text: string };

/** The rate limiter sends its messages on the same channel; they have no `kind`. */
export function isWorkerMessage<T extends FromWorker | ToWorker>(message: unknown): message is T {
  return typeof message === 'object' && message !== null && 'kind' in message;
}
